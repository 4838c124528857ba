import { isOneOf } from "../../core/one-of.ts";
import type { Run } from "../../core/command.ts";
import { textOf } from "../../shell/output.ts";
import { wordsOf } from "./_runs.ts";

/** A request to a server: its verb, where it goes, and what it carries. */
export interface Request {
  readonly verb: string;
  readonly host: string;
  readonly port: string;
  readonly path: string;
  readonly texts: readonly string[];
}

/** The requests a command makes by `curl` and its like, or by the libraries of an interpreter. */
export function requestsOf(run: Run): Request[] {
  const words = wordsOf(run);
  if (run.program === "curl" || run.program === "wget") {
    const given = valueOf(words, /^(?:-X|--request|--method)$/, /^(?:-X|--(?:request|method)=)(.+)$/);
    const texts = [
      ...words.filter((_word, at) => isOneOf(words[at - 1] ?? "", carrying)),
      ...words.flatMap(
        (word) => /^(?:-d|--(?:data[\w-]*|json|post-data|body-data)=)(.+)$/s.exec(word)?.[1] ?? [],
      ),
    ].flatMap((text) => (isOneOf(text, "@- @/dev/stdin") ? (textOf(run.stdin) ?? []) : text));
    const verb = given ?? (texts.length > 0 ? "POST" : "GET");
    const addresses = words.filter(
      (word, at) => !word.startsWith("-") && !taking.test(words[at - 1] ?? "") && isAddress(word),
    );
    return addresses.map((word) => requestTo(verb, word, texts));
  }
  if (isOneOf(run.program, "http https xh xhs")) {
    const plain = words.filter((word) => !word.startsWith("-"));
    const at = plain.findIndex((word) => /^(?:GET|POST|PUT|PATCH|DELETE|HEAD)$/i.test(word));
    const address = plain[at + 1];
    return address === undefined
      ? []
      : [requestTo(plain[at] ?? "GET", address.replace(/^:(?=[\d/])/, "localhost:"), plain.slice(at + 2))];
  }
  return (run.effects ?? []).flatMap((effect) => {
    if (effect.do !== "call") return [];
    const client =
      /^(?:requests|httpx|axios|got|ky|superagent|urllib3|Net\.HTTP|HTTParty|RestClient)\b.*\.(delete|post|put|patch|request)$|^(?:fetch|axios|got)$/i.exec(
        effect.name,
      );
    const address = effect.texts.find((text) => /^https?:\/\//.test(text));
    if (!client || address === undefined) return [];
    const verb = effect.texts.find((text) => /^(?:DELETE|POST|PUT|PATCH)$/i.test(text)) ?? client[1] ?? "GET";
    return [requestTo(verb, address, effect.texts)];
  });
}

const carrying =
  "-d --data --data-raw --data-binary --data-urlencode --data-ascii --json --post-data --body-data";
const taking =
  /^(?:-[odHXuAebcxmwKrEDFT]|--(?:output|data[\w-]*|json|header|request|method|user|user-agent|referer|cookie|cookie-jar|proxy|max-time|connect-timeout|retry|write-out|config|cert|key|cacert|form|upload-file|unix-socket))$/;

const isAddress = (word: string): boolean =>
  /^\w+:\/\/|^[\w.@*:-]+(?::\d+|\.\w+)(?:\/|$)|^localhost/.test(word);

const valueOf = (words: readonly string[], flag: RegExp, glued: RegExp): string | undefined => {
  const at = words.findIndex((word) => flag.test(word));
  if (at !== -1) return words[at + 1];
  for (const word of words) {
    const value = glued.exec(word)?.[1];
    if (value !== undefined) return value;
  }
  return undefined;
};

function requestTo(verb: string, address: string, texts: readonly string[]): Request {
  const match = /^(?:\w+:\/\/)?(?:[^/@]*@)?([^/:?]*)(?::(\d+))?(.*)$/s.exec(address);
  const [, host = "", port = "", path = ""] = match ?? [];
  return { verb: verb.toUpperCase(), host: host.toLowerCase(), port, path: path || "/", texts };
}

/** The parameters of an address as they were before they were encoded. */
export function parametersOf({ path }: Request): string[] {
  return (path.split("?")[1] ?? "").split("&").map((each) => {
    const value = each.replace(/^[^=]*=/, "").replaceAll("+", " ");
    try {
      return decodeURIComponent(value);
    } catch {
      return value;
    }
  });
}
