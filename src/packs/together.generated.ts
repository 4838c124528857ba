// Written by tools/generate.ts; do not edit.
export { default as safetyDiskAndDevice } from "./safety/disk-and-device.ts";
export { default as safetySecrets } from "./safety/secrets.ts";
export { default as safetySelfProtection } from "./safety/self-protection.ts";
export { default as safetySystemPower } from "./safety/system-power.ts";
export { default as safetyWorkspaceBoundary } from "./safety/workspace-boundary.ts";
export { default as ralphSsotWriteGuard } from "./ralph/ssot-write-guard.ts";
