import { isOneOf } from "../../core/one-of.ts";
/** Verbs that publish, by program. */
export const verbs: Readonly<Record<string, RegExp>> = {
  npm: /^(?:publish|unpublish|deprecate|dist-tag|access|undeprecate)$/,
  pnpm: /^publish$/,
  yarn: /^(?:publish|npm)$/,
  bun: /^publish$/,
  cargo: /^(?:publish|yank)$/,
  twine: /^upload$/,
  poetry: /^publish$/,
  uv: /^publish$/,
  flit: /^publish$/,
  hatch: /^publish$/,
  pdm: /^publish$/,
  gem: /^(?:push|yank)$/,
  docker: /^push$/,
  podman: /^push$/,
  "docker-compose": /^push$/,
  nerdctl: /^push$/,
  buildah: /^push$/,
  skopeo: /^(?:copy|sync|delete)$/,
  oras: /^push$/,
  helm: /^(?:push|cm-push)$/,
  mvn: /^(?:deploy|release:perform)$/,
  mvnw: /^(?:deploy|release:perform)$/,
  gradle:
    /^(?:publish|publishToMavenCentral|publishAllPublicationsTo\w+|publishTo(?!MavenLocal)\w+|closeAndRelease\w+|uploadArchives|publishPlugins)$/,
  gradlew:
    /^(?:publish|publishToMavenCentral|publishAllPublicationsTo\w+|publishTo(?!MavenLocal)\w+|closeAndRelease\w+|uploadArchives|publishPlugins)$/,
  dotnet: /^nuget$/,
  nuget: /^push$/,
  vsce: /^publish$/,
  ovsx: /^publish$/,
  lerna: /^publish$/,
  changeset: /^publish$/,
  "semantic-release": /^$/,
  goreleaser: /^release$/,
  jsr: /^publish$/,
  deno: /^publish$/,
  sbt: /^(?:publish|publishSigned|sonatypeBundleRelease|release(?: .*)?)$/,
  hf: /^(?:upload|upload-large-folder)$/,
  "huggingface-cli": /^(?:upload|upload-large-folder)$/,
  ollama: /^push$/,
  cog: /^push$/,
  modal: /^deploy$/,
  deployctl: /^deploy$/,
  bentoml: /^push$/,
  supabase: /^$/,
  "ansible-galaxy": /^$/,
  kaggle: /^$/,
  mix: /^hex\.publish$/,
  pod: /^trunk$/,
  "web-ext": /^sign$/,
  maturin: /^(?:publish|upload)$/,
  rake: /^release$/,
  "wasm-pack": /^publish$/,
  crane: /^(?:push|copy|delete|tag)$/,
  np: /^/,
  "release-it": /^/,
  ko: /^(?:build|publish|resolve|apply)$/,
  dart: /^pub$/,
  flutter: /^pub$/,
  fastlane: /^(?:release|deliver|supply|pilot|beta|deploy|upload_to_\w+)$/,
  conan: /^upload$/,
  vcpkg: /^x-upload$/,
  lein: /^deploy$/,
  clojure: /^deploy$/,
  paket: /^push$/,
  cabal: /^upload$/,
  stack: /^upload$/,
  opam: /^publish$/,
  luarocks: /^upload$/,
  "cpan-upload": /^/,
  conda: /^upload$/,
  anaconda: /^upload$/,
  choco: /^push$/,
  winget: /^submit$/,
  wingetcreate: /^submit$/,
  snapcraft: /^(?:upload|push|release|promote)$/,
  eas: /^(?:submit|update)$/,
  expo: /^publish$/,
  tfx: /^extension$/,
  cosign: /^(?:upload|copy)$/,
  hub: /^release$/,
  regctl: /^(?:image|artifact)$/,
  cachix: /^push$/,
  "gh-pages": /^/,
  surge: /^/,
  wally: /^publish$/,
  elm: /^publish$/,
  nimble: /^publish$/,
  bower: /^register$/,
  jpm: /^sign$/,
  clasp: /^deploy$/,
  firebase: /^(?:deploy|hosting:clone|appdistribution:distribute|ext:dev:upload)$/,
  wrangler: /^(?:deploy|publish)$/,
  fly: /^deploy$/,
  flyctl: /^deploy$/,
  eb: /^deploy$/,
  cap: /^(?:production|prod|live)$/,
  railway: /^up$/,
};

/** Tools that put a site or a service in front of everybody when they are told so. */
export function deploys(program: string, words: readonly string[], plain: readonly string[]): boolean {
  const isLive = words.some((word) =>
    isOneOf(
      word,
      "--production --prod prod production live --stage=prod --stage=production --stage=live --env=prod --env=production --env=live --environment=prod --environment=production --environment=live --target=prod --target=production --target=live",
    ),
  );
  switch (program) {
    case "vercel":
    case "now":
      return (
        isLive &&
        !isOneOf(
          plain[0] ?? "",
          "ls list logs env inspect pull build dev project domains alias whoami link git certs dns teams",
        )
      );
    case "netlify":
    case "ntl":
      return plain[0] === "deploy" && isLive;
    case "sls":
    case "serverless":
    case "sst":
    case "amplify":
    case "sam":
      return (
        isOneOf(plain[0] ?? "", "deploy publish push") &&
        (isLive || program === "amplify" || words.includes("--no-confirm-changeset"))
      );
    case "electron-builder":
      return words.some(
        (word, at) =>
          /^(?:--publish=|-p=?)(?!never)\w/.test(word) ||
          (isOneOf(word, "--publish -p") && isOneOf(words[at + 1] ?? "", "always onTag onTagOrDraft")),
      );
    case "gcloud":
      return plain.slice(0, 4).includes("deploy") && isOneOf(plain[0] ?? "", "app run functions beta alpha");
    case "az":
      return (
        (plain[0] === "webapp" &&
          (plain[1] === "up" || plain.includes("deploy") || plain.includes("deployment"))) ||
        (plain[0] === "functionapp" && (plain.includes("deploy") || plain.includes("deployment")))
      );
    case "aws":
      return (
        (plain[0] === "lambda" &&
          isOneOf(plain[1] ?? "", "update-function-code publish-version update-alias")) ||
        (plain[0] === "deploy" && plain[1] === "create-deployment") ||
        (plain[0] === "elasticbeanstalk" && plain[1] === "update-environment") ||
        (plain[0] === "ecr-public" && /^put-/.test(plain[1] ?? ""))
      );
    case "heroku":
      return isOneOf(plain[0] ?? "", "container:release container:push pipelines:promote releases:rollback");
    default:
      return false;
  }
}

export const deployers =
  "vercel now netlify ntl sls serverless sst amplify sam electron-builder gcloud az aws heroku".split(" ");
