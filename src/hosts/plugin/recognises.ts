/** Its payloads look like Claude Code's: who means the format of plugins says so (`--host plugin`). */
export const recognises = (): 0 => 0;
