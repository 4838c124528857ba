/** Its payloads look like Claude Code's: who means the Harness says so (`--host harness`). */
export const recognises = (): 0 => 0;
