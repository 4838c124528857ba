import { isOneOf } from "../../core/one-of.ts";
import { pathBelow } from "../../core/paths.ts";
import { hasPattern } from "../../shell/globs.ts";
import { isEnvironmentPattern, keyFitting } from "./_secret-patterns.ts";

/** Files of the user's tools that hold what they log in with, by tool. Adding one is adding a name. */
const tokenFiles = new RegExp(
  `^\\.(?:${[
    "config/(?:rclone/rclone\\.conf|doctl/config\\.yaml|stripe/config\\.toml|sops/age/keys\\.txt|netlify/config\\.json|hcloud/cli\\.toml|linode-cli|scw/config\\.yaml)",
    "config/(?:glab-cli/config\\.yml|argocd/config|helm/registry/config\\.json|ngrok/ngrok\\.yml|configstore/firebase-tools\\.json|solana/id\\.json|Bitwarden CLI/data\\.json)",
    "fly/config\\.yml|railway/config\\.json|netlify/config\\.json|wrangler/config/default\\.toml|supabase/access-token|ngrok2/ngrok\\.yml|argocd/config",
    "snowflake/(?:connections|config)\\.toml|databrickscfg|kaggle/kaggle\\.json|wakatime\\.cfg|oci/config|aliyun/config\\.json|terraformrc",
    "cloudflared/.*\\.(?:json|pem)|ansible/galaxy_token|jfrog/.*\\.conf(?:\\.v\\d+)?|ethereum/keystore/.*|bitcoin/wallet\\.dat|electrum/wallets/.*|condarc\\.token",
  ].join("|")})$`,
);

/** In a hidden folder of the home, names that say what is in the file. */
const tokenNames =
  /^\.[^/]+\/(?:.*\/)?\.?(?:credentials?|auth|oauth[\w-]*|tokens?|access[-_]?tokens?|hosts|apps|secrets?)(?:\.(?:json|ya?ml|toml|ini|txt|db))?$/i;

/** Places below the home folder, and names anywhere, that hold secrets. */
export function keyAt(path: string, home: string): string | undefined {
  if (/\.(?:example|sample|template|dist|tmpl)$/i.test(path)) return undefined;
  if (hasPattern(path)) {
    const fitting = keyFitting(path, home);
    if (fitting !== undefined) return fitting === "" ? undefined : keyAt(fitting, home);
  }
  // Everybody's home folder has the same places.
  const below = pathBelow(home, path) ?? /^(?:\/(?:home|Users)\/[^/]+|\/root)\/(.+)$/.exec(path)?.[1];
  if (below !== undefined) {
    if (/^\.ssh\/(?!.*\.pub$)(?!known_hosts|config$|authorized_keys|environment$)/.test(below))
      return "a private key";
    if (
      /^\.(?:aws\/credentials|netrc|git-credentials|pypirc|vault-token|pgpass|my\.cnf|npmrc|kube\/config|docker\/config\.json|config\/gh\/hosts\.yml|config\/gcloud\/.*(?:credentials|\.db|\.json)|azure\/.*(?:token|\.json)|terraform\.d\/credentials\.tfrc\.json|cargo\/credentials(?:\.toml)?|gem\/credentials|boto|s3cfg|config\/op\/|config\/hub)/.test(
        below,
      )
    )
      return "credentials";
    if (tokenFiles.test(below) || tokenNames.test(below)) return "credentials";
    if (/^\.gnupg\/(?:private-keys|secring)|^\.password-store\//.test(below)) return "private keys";
    if (
      isOneOf(
        below,
        ".ssh/* .ssh/ .ssh .aws/* .aws/ .aws .gnupg/* .gnupg/ .gnupg .kube/* .kube/ .kube .password-store/* .password-store/ .password-store .azure/* .azure/ .azure",
      )
    )
      return "keys and credentials";
    if (
      /(?:Library\/Keychains|\.local\/share\/keyrings|Login Data|Cookies(?:\.sqlite|\.binarycookies)?$|cookies\.sqlite$|logins\.json$|key4\.db$)/.test(
        below,
      )
    )
      return "saved passwords";
    if (
      isOneOf(
        below,
        ".bash_history .zsh_history .python_history .mysql_history .psql_history .node_repl_history",
      )
    )
      return "everything typed before, passwords included";
  }
  if (
    /^\/etc\/(?:shadow|gshadow|sudoers|master\.passwd|ssh\/ssh_host_\w+_key|wireguard\/.*\.conf|ppp\/.*-secrets|NetworkManager\/system-connections\/.*|krb5\.keytab)$/.test(
      path,
    )
  )
    return "secrets of the system";
  if (/^\/proc\/(?:\d+|self|\*)\/environ$/.test(path)) return "the environment of a process";
  if (/^\/(?:run\/secrets|var\/run\/secrets)\//.test(path)) return "secrets of the container";
  const name = path.split("/").at(-1) ?? "";
  if (isOneOf(name, "id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk")) return "a private key";
  if (
    /\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx)$/i.test(name) &&
    !/(?:public|pub|cert|chain|ca)[\w-]*\.pem$/i.test(name) &&
    !/\.pub\./.test(name)
  )
    return "a private key";
  if (
    /^(?:credentials|service-account[\w-]*|client_secret[\w-]*)\.json$|^\.?(?:git-credentials|netrc|htpasswd|pgpass)$|^secrets?\.(?:ya?ml|json|toml|env)$|^master\.key$/i.test(
      name,
    )
  )
    return "credentials";
  return undefined;
}

export const isEnvironment = (name: string): boolean =>
  hasPattern(name) ? isEnvironmentPattern(name) : isEnvironmentName(name);

export const isEnvironmentName = (name: string): boolean =>
  /^\.env(?:rc)?(?:[.*][\w.*-]*)?$|^[\w-]+\.env$/.test(name) &&
  !/(?:example|sample|template|dist|defaults?|schema|test|ci)\b/i.test(name);
