// Written by tools/generate.ts; do not edit.
import type { Rule } from "../core/rule.ts";
import safetySelfProtection from "./safety/self-protection.ts";
import safetyWorkspaceBoundary from "./safety/workspace-boundary.ts";
import ralphPathAllowlist from "./ralph/path-allowlist.ts";
import ralphSessionDirectoryGuard from "./ralph/session-directory-guard.ts";
import ralphSsotWriteGuard from "./ralph/ssot-write-guard.ts";

export const rules: Readonly<Record<string, Rule>> = {
  "safety/self-protection": safetySelfProtection,
  "safety/workspace-boundary": safetyWorkspaceBoundary,
  "ralph/path-allowlist": ralphPathAllowlist,
  "ralph/session-directory-guard": ralphSessionDirectoryGuard,
  "ralph/ssot-write-guard": ralphSsotWriteGuard,
};
