// Written by tools/generate.ts; do not edit.
export { default as safetyDatabase } from "./safety/database.ts";
export { default as safetyInfrastructure } from "./safety/infrastructure.ts";
export { default as safetyPublish } from "./safety/publish.ts";
