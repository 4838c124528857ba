declare const HOOKLINE_VERSION: string | undefined;

/** Set by the build; a run from source has none. */
export const version: string = typeof HOOKLINE_VERSION === "string" ? HOOKLINE_VERSION : "0.0.0-source";
