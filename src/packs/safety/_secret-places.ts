import { pathBelow } from "../../core/paths.ts";
import { hasPattern } from "../../shell/globs.ts";
import { isEnvironmentPattern, keyFitting } from "./_secret-patterns.ts";

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
    if (/^\.gnupg\/(?:private-keys|secring)|^\.password-store\//.test(below)) return "private keys";
    if (/^\.(?:ssh|aws|gnupg|kube|password-store|azure)(?:\/\*?)?$/.test(below))
      return "keys and credentials";
    if (
      /(?:Library\/Keychains|\.local\/share\/keyrings|Login Data|Cookies(?:\.sqlite|\.binarycookies)?$|cookies\.sqlite$|logins\.json$|key4\.db$)/.test(
        below,
      )
    )
      return "saved passwords";
    if (/^\.(?:bash|zsh|python|mysql|psql|node_repl)_history$/.test(below))
      return "everything typed before, passwords included";
  }
  if (/^\/etc\/(?:shadow|gshadow|sudoers|master\.passwd|ssh\/ssh_host_\w+_key)$/.test(path))
    return "secrets of the system";
  if (/^\/proc\/(?:\d+|self|\*)\/environ$/.test(path)) return "the environment of a process";
  if (/^\/(?:run\/secrets|var\/run\/secrets)\//.test(path)) return "secrets of the container";
  const name = path.split("/").at(-1) ?? "";
  if (/^(?:id_rsa|id_dsa|id_ecdsa|id_ed25519|id_ecdsa_sk|id_ed25519_sk)$/.test(name)) return "a private key";
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
