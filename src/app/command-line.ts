// What most command lines need that have to be unfolded. It is loaded in one piece: many small ones take longer.
import { commandRules } from "../packs/commands.generated.ts";
import { keepRules } from "./registry.ts";

export { watchedLimits } from "../platform/limits.ts";
export { foreseeReaders, unfoldCommands, withReaders } from "../shell/understand.ts";

keepRules(commandRules);
