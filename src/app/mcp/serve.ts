import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  fromJsonSchema,
  inputRequired,
  McpServer,
  type CallToolResult,
  type InputRequiredResult,
  type JsonSchemaType,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { isObject, type Json } from "../../core/json.ts";
import { version } from "../../platform/version.ts";
import { BadInput } from "../abilities/create-task.ts";
import { Unavailable } from "../abilities/implementation.ts";
import { schemaProblems } from "../abilities/schema.ts";
import { TaskTrouble, type TaskStore } from "../abilities/task-store.ts";
import { oneLine } from "../abilities/words.ts";
import { messageLines } from "./message-lines.ts";
import { ToolTrouble, type McpTool, type ToolCall } from "./tool.ts";
import { tools } from "./tools.ts";

/** What is under way gets so long to put itself on record once nobody is there any more. */
const farewellMs = 5000;

/** Serves our tools over standard input and output until the client closes it, then ends what is still running. */
export async function serveMcp(store: TaskStore): Promise<void> {
  // Standard output is the protocol's.
  console.log = console.info = console.debug = console.error;
  const leaving = new AbortController();
  const underway = new Set<Promise<unknown>>();
  const input = messageLines(process.stdin, (line) => void process.stdout.write(`${line}\n`));
  const transport = new StdioServerTransport(input);
  const closed = new Promise<void>((leave) => {
    for (const event of ["end", "close", "error"]) process.stdin.once(event, () => leave());
    process.stdout.once("error", () => leave());
  });
  const handle = serveStdio(() => server(store, leaving.signal, underway), {
    transport,
    onerror: (error) => console.error(`hookline mcp: ${oneLine(error.message)}`),
  });
  await closed;
  leaving.abort();
  await Promise.race([Promise.allSettled(underway), Bun.sleep(farewellMs)]);
  await Promise.race([handle.close(), Bun.sleep(farewellMs)]);
}

function server(store: TaskStore, leaving: AbortSignal, underway: Set<Promise<unknown>>): McpServer {
  const mcp = new McpServer(
    { name: "hookline", version, title: "Hookline" },
    {
      capabilities: { tools: {} },
      instructions:
        "suggest_abilities finds what this repository can do, create_ability_task and then run_ability_task do it, and route_knowledge finds the " +
        "documents that say how things are done here. Policy and hooks decide what may run; explain_verdict says beforehand what they would " +
        "make of a command.",
    },
  );
  for (const [name, tool] of Object.entries(tools))
    mcp.registerTool(
      name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: fromJsonSchema<Json>(tool.input, validator),
        annotations: { readOnlyHint: tool.reads === true, openWorldHint: name === "run_ability_task" },
      },
      async (input, context) => {
        const answer = answered(tool, input, store, context, mcp, leaving);
        underway.add(answer);
        try {
          return await answer;
        } finally {
          underway.delete(answer);
        }
      },
    );
  return mcp;
}

/** Our own check, so that a mistake is said as everywhere else. */
const validator: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    return (input) => {
      const problems = isObject(schema) ? schemaProblems(schema, input, "input") : [];
      return problems.length === 0
        ? { valid: true, data: input as T, errorMessage: undefined } // it fits the schema T was made from
        : { valid: false, data: undefined, errorMessage: problems.join("; ") };
    };
  },
};

async function answered(
  tool: McpTool,
  input: Json,
  store: TaskStore,
  context: ServerContext,
  mcp: McpServer,
  leaving: AbortSignal,
): Promise<CallToolResult | InputRequiredResult> {
  const person = personBehind(context, mcp);
  const call: ToolCall = {
    ...store,
    cancel: AbortSignal.any([context.mcpReq.signal, leaving]),
    ...(person.confirm ? { confirm: person.confirm } : {}),
  };
  try {
    const result = await tool.run(input, call);
    return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: { ...result } };
  } catch (error) {
    const question = person.unanswered();
    if (question !== undefined)
      return inputRequired({ inputRequests: { confirm: inputRequired.elicit(formFor(question)) } });
    return { isError: true, content: [{ type: "text", text: inWords(error) }] };
  }
}

function inWords(error: unknown): string {
  if (error instanceof Unavailable)
    return `${error.message}${error.suggestion === undefined ? "" : `\n${error.suggestion}`}`;
  const isKnown = error instanceof ToolTrouble || error instanceof BadInput || error instanceof TaskTrouble;
  const said = error instanceof Error ? error.message : String(error);
  if (isKnown) return said;
  console.error(error);
  return `this is a bug of hookline: ${said}`;
}

interface Person {
  readonly confirm?: NonNullable<ToolCall["confirm"]>;
  /** What has to be asked before the call can be made again. */
  unanswered(): string | undefined;
}

const formFor = (question: string) => ({
  mode: "form" as const,
  message: question,
  requestedSchema: {
    type: "object" as const,
    properties: { confirm: { type: "boolean" as const, title: "Run it?" } },
    required: ["confirm"],
  },
});

const patienceMs = 10 * 60_000;

/** How the person behind the client is asked: at once by older clients, by calling again with the answer by newer ones. */
function personBehind({ mcpReq }: ServerContext, mcp: McpServer): Person {
  let open: string | undefined;
  const unanswered = (): string | undefined => open;
  if (mcpReq.envelope === undefined) {
    if (mcp.server.getClientCapabilities()?.elicitation === undefined) return { unanswered };
    return {
      unanswered,
      async confirm(question) {
        const { action, content } = await mcpReq.elicitInput(formFor(question), {
          timeout: patienceMs,
          signal: mcpReq.signal,
        });
        return action === "accept" && content?.["confirm"] === true;
      },
    };
  }
  const envelope: Json = mcpReq.envelope;
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
  if (!isObject(capabilities) || capabilities["elicitation"] === undefined) return { unanswered };
  const said = mcpReq.inputResponses?.["confirm"];
  return {
    unanswered,
    confirm(question) {
      if (said === undefined) open = question;
      return Promise.resolve(acceptedContent(mcpReq.inputResponses, "confirm")?.["confirm"] === true);
    },
  };
}
