/** Whether a name may be tried at all. */
export const isName = (text) => /^[a-z][a-z0-9_]{1,31}$/.test(text);
