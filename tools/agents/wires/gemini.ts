import { list, nothingHere, streamOf, textOf, type Move, type Wire } from "./wire.ts";

const verbOf = (path: string): string | undefined => /\/models\/[^/]+:(\w+)$/.exec(path)?.[1];
const isContent = (path: string): boolean => /^(?:stream)?generateContent$/i.test(verbOf(path) ?? "");
const hasTools = (body: Readonly<Record<string, unknown>>): boolean =>
  list(body["tools"]).some((each) => list(each["functionDeclarations"]).length > 0);

/** Gemini's generateContent, at once or as a stream. */
export const gemini: Wire = {
  isTurn: (path, body) => isContent(path) && hasTools(body),
  hear(body) {
    const said = list(body["contents"]).filter(({ role }) => role !== "model");
    const parts = said.flatMap((each) => list(each["parts"]));
    const results = parts.flatMap(({ functionResponse }) => list([functionResponse]));
    return {
      opening: parts.map(textOf).join("\n"),
      texts: [textOf(list([body["systemInstruction"]])[0]?.["parts"]), ...parts.map(textOf)],
      results: results.map(({ id, response }) => ({ id: String(id), text: JSON.stringify(response) })),
    };
  },
  answer: (move, _body, path) => reply(move, path),
  aside(path) {
    if (verbOf(path) === "countTokens") return Response.json({ totalTokens: 100 });
    return isContent(path) ? reply({ text: "{}", calls: [] }, path) : nothingHere();
  },
};

function reply({ text, calls }: Move, path: string): Response {
  const parts = [
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })),
  ];
  const answer = {
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
    modelVersion: "gemini-2.5-flash",
    responseId: "response-1",
  };
  return verbOf(path) === "streamGenerateContent" ? streamOf([{ data: answer }]) : Response.json(answer);
}
