// The least a hook can do: read the payload, parse it, answer with one line. Hookline is measured against it.
// With --jsonl it does the same for every line.
async function echo() {
  const input = await Bun.stdin.text();
  if (process.argv.includes("--jsonl")) {
    const lines = input.trimEnd().split("\n");
    console.log(lines.map((line) => JSON.stringify(JSON.parse(line))).join("\n"));
    return;
  }
  const { hook_event_name } = JSON.parse(input) as { hook_event_name: string };
  console.log(JSON.stringify({ event: hook_event_name }));
}

void echo();
