import { isName, mayBe, writtenOut } from "../../shell/globs.ts";

/** Files that hold secrets, for patterns to be held against: below a home folder, of the system, by name alone. */
const atHome =
  ".ssh .ssh/id_rsa .ssh/id_ed25519 .ssh/id_ecdsa .ssh/deploy_key .aws .aws/credentials .netrc .git-credentials .pypirc .npmrc .pgpass .my.cnf .vault-token .kube .kube/config .docker/config.json .gnupg .gnupg/private-keys-v1.d .gnupg/private-keys-v1.d/a.key .config/gh/hosts.yml .password-store .azure .cargo/credentials.toml .terraform.d/credentials.tfrc.json".split(
    " ",
  );
const ofSystem =
  "/etc/shadow /etc/gshadow /etc/sudoers /etc/ssh/ssh_host_rsa_key /proc/self/environ /proc/1/environ".split(
    " ",
  );
const byName =
  "id_rsa id_ed25519 id_ecdsa id_dsa credentials.json secrets.yml secrets.json service-account.json client_secret.json".split(
    " ",
  );
const harmless = "config known_hosts authorized_keys id_rsa.pub id_ed25519.pub".split(" ");

/** A file with secrets that a pattern may stand for; an empty text for one that only fits harmless files. */
export function keyFitting(pattern: string, home: string): string | undefined {
  const segments = pattern.split("/");
  const last = segments.at(-1) ?? "";
  const isWritten = writtenOut(last) > 0 || writtenOut(segments.at(-2) ?? "") > 0;
  for (const folder of isWritten ? [home, "/root", "/home/u", "/Users/u"] : []) {
    const found = atHome.find((place) => mayBe(pattern, `${folder}/${place}`));
    if (found !== undefined) return `${home}/${found}`;
  }
  if (segments.at(-2) === ".ssh" && harmless.some((name) => isName(last, name))) return "";
  if (writtenOut(last) > 1) {
    const found = ofSystem.find((place) => mayBe(pattern, place));
    if (found !== undefined) return found;
  }
  // An ending alone says nothing about what is in a file.
  if (writtenOut(last.replace(/\.\w+$/, "")) < 3 || !/^[a-z_[*]/.test(last)) return undefined;
  const name = byName.find((each) => isName(last, each));
  return name === undefined ? undefined : `${home}/${name}`;
}

const environments = ".env .env.local .env.production .env.development .env.staging".split(" ");

/** May a name with patterns in it be an environment file with real values? */
export const isEnvironmentPattern = (name: string): boolean =>
  (writtenOut(name) > 0 && environments.some((each) => isName(name, each))) || /^[\w*?-]+\.env$/.test(name);
