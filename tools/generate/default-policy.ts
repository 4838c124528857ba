import { rules } from "../../src/packs/index.generated.ts";
import { expandPresets, presets } from "../../src/packs/presets.ts";
import { sha256 } from "../../src/platform/digest.ts";
import { compile } from "../../src/policy/compile.ts";

/** The policy of a workspace without any policy file. */
export function defaultPolicy() {
  const policy = compile([], { rules, presets, expandPresets });
  return { policy, digest: sha256(JSON.stringify(policy)) };
}
