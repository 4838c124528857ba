/**
 * Is a prompt what we said to keep the agent from stopping? Some hosts hand that to the model as if the user had said it, and tell of it as
 * of any prompt; a count that a word of the user starts again would never end.
 */
export const isOwnRefusal = (prompt: string): boolean => /^Blocked by [\w-]+\/[\w-]+: /m.test(prompt);
