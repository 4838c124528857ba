import { wordsOf } from "../core/words-of.ts";
import { isOneOf } from "../core/one-of.ts";
import type { Run } from "./model.ts";

/** Stands for the home folder at the start of a path that a program writes without being told. */
export const homeMark = "$HOME/";

type Writes = (words: readonly string[], run: Run) => string | undefined;

const when =
  (path: string, pattern: RegExp): Writes =>
  (words) =>
    words.some((word) => pattern.test(word)) ? path : undefined;

const always =
  (path: string): Writes =>
  (words) =>
    words.length > 0 && !words.some((word) => isOneOf(word, "--help --version -h -V --list -l"))
      ? path
      : undefined;

const accounts = always("/etc/passwd");

/** Settings of git that make it run something, trust somebody or send something elsewhere. */
const gitKeys =
  /^(?:core\.(?:hookspath|editor|pager|sshcommand|fsmonitor|askpass|gitproxy|attributesfile|excludesfile)|credential\.|url\.|alias\.|init\.templatedir|include(?:if)?\.|filter\.|diff\.external|diff\..*\.(?:command|textconv)|merge\..*\.driver|mergetool\.|difftool\.|sequence\.editor|gpg\.program|http\.(?:proxy|sslverify|sslcainfo)|https?\..*proxy|protocol\.|ssh\.|uploadpack\.|receive\.)/i;

/** Settings of package managers that decide where code comes from and what is run with it. */
const sourceKeys =
  /registry|index-url|proxy|prefix|script-shell|ignore-scripts|strict-ssl|cafile|_auth|trusted-host|find-links|npmRegistryServer|enableStrictSsl/i;

const packageConfig =
  (path: string): Writes =>
  (words) => {
    const [noun, verb, ...rest] = words.filter((word) => !word.startsWith("-"));
    if (!isOneOf(noun ?? "", "config c") || !isOneOf(verb ?? "", "set edit --global")) return undefined;
    if (words.some((word) => isOneOf(word, "--location=project --site"))) return undefined;
    return verb === "edit" || rest.some((word) => sourceKeys.test(word)) ? path : undefined;
  };

const services: Writes = (words) => {
  const [verb = ""] = words.filter((word) => !word.startsWith("-"));
  if (!isOneOf(verb, "enable disable mask unmask edit link set-default revert set-property preset-all"))
    return undefined;
  return words.includes("--user") ? `${homeMark}.config/systemd/user` : "/etc/systemd/system";
};

const asRoot = (run: Run): boolean => run.via.some((via) => isOneOf(via, "sudo doas pkexec su run0"));

const localPackage =
  (verb: RegExp): Writes =>
  (words) =>
    words.some((word) => verb.test(word)) &&
    words.some((word) => /^(?:\.{0,2}\/|~).*|\.(?:deb|rpm|pkg|apk|msi)$/.test(word) && !/^https?:/.test(word))
      ? "/usr"
      : undefined;

/** Programs that write to places of the system or the home folder by what they are for. Adding one is adding a row. */
const table: Readonly<Record<string, Writes>> = {
  systemctl: services,
  launchctl: (words) =>
    isOneOf(words[0] ?? "", "load unload bootstrap bootout enable disable remove submit setenv")
      ? "/Library/LaunchDaemons"
      : undefined,
  "update-rc.d": always("/etc/init.d"),
  chkconfig: when("/etc/init.d", /^(?:on|off|--add|--del)$/),
  "rc-update": when("/etc/runlevels", /^(?:add|del|delete)$/),
  defaults: (words) =>
    words[0] === "write" &&
    words.some((word) => /LoginHook|LogoutHook|loginwindow|LSQuarantine|alf\b/.test(word))
      ? `${homeMark}Library/Preferences`
      : undefined,
  usermod: accounts,
  useradd: accounts,
  adduser: accounts,
  groupadd: accounts,
  groupmod: accounts,
  gpasswd: accounts,
  passwd: (words) => (words.some((word) => isOneOf(word, "-S --status --help")) ? undefined : "/etc/shadow"),
  chpasswd: () => "/etc/shadow",
  newusers: () => "/etc/passwd",
  vipw: () => "/etc/passwd",
  visudo: (words) => (words.some((word) => isOneOf(word, "-c --check")) ? undefined : "/etc/sudoers"),
  chsh: accounts,
  dscl: when("/etc/passwd", /^-?(?:create|append|delete|passwd|change)$/),
  dseditgroup: always("/etc/group"),
  sysadminctl: when("/etc/passwd", /^-(?:addUser|deleteUser|resetPasswordFor|guestAccount)$/),
  insmod: always("/lib/modules"),
  rmmod: always("/lib/modules"),
  modprobe: (words) =>
    words.some((word) => /^(?:-n|--dry-run|--show\S*|-c|--showconfig|-D)$/.test(word))
      ? undefined
      : always("/lib/modules")(words, nothing),
  kextload: always("/Library/Extensions"),
  kextunload: always("/Library/Extensions"),
  sysctl: when("/proc/sys", /^-\w*[wp]|^--(?:write|load|system)|^[\w./-]+=/),
  hostnamectl: when("/etc/hostname", /^(?:set-|hostname$)/),
  timedatectl: when("/etc/localtime", /^set-/),
  localectl: when("/etc/locale.conf", /^set-/),
  scutil: when("/etc/hostname", /^--set$/),
  systemsetup: when("/etc/localtime", /^-set/),
  date: when("/etc/localtime", /^(?:-s.*|--set(?:=.*)?)$/),
  hwclock: when("/etc/adjtime", /^(?:-w|-s|--systohc|--hctosys|--set)/),
  mount: (words) => {
    const plain = words.filter(
      (word, at) => !word.startsWith("-") && !isOneOf(words[at - 1] ?? "", "-o -t -L --options --types"),
    );
    if (plain.length === 0) return undefined;
    return plain.at(-1);
  },
  swapoff: when("/etc/fstab", /^-a$|^\/dev\//),
  "update-alternatives": when("/etc/alternatives", /^--(?:install|set|remove|set-all|remove-all|auto)/),
  alternatives: when("/etc/alternatives", /^--(?:install|set|remove|auto)/),
  ldconfig: when("/etc/ld.so.cache", /^-[fCr]$/),
  "apt-key": when("/etc/apt/trusted.gpg", /^(?:add|adv|del)$/),
  "add-apt-repository": always("/etc/apt/sources.list"),
  "update-ca-certificates": () => "/etc/ssl/certs",
  "update-ca-trust": () => "/etc/ssl/certs",
  keytool: (words) =>
    words.some((word) => isOneOf(word, "-importcert -import -delete")) &&
    words.some((word) => /^-cacerts$|cacerts$/.test(word))
      ? "/etc/ssl/certs/java/cacerts"
      : undefined,
  security: when(
    "/Library/Keychains",
    /^(?:add-trusted-cert|authorizationdb|delete-keychain|delete-certificate|remove-trusted-cert|import)$/,
  ),
  trust: when("/etc/ssl/certs", /^(?:anchor)$/),
  "grub-install": always("/boot/grub"),
  "grub-mkconfig": when("/boot/grub", /^(?:-o|--output)/),
  "update-grub": () => "/boot/grub",
  bootctl: when("/boot", /^(?:install|remove|update|set-)/),
  efibootmgr: when("/boot/efi", /^-\w*[Bcon]|^--(?:delete|create|bootorder|bootnext)/),
  nvram: when("/boot", /=|^-[cd]$/),
  flashrom: when("/boot/efi", /^-\w*[wE]|^--(?:write|erase)/),
  git: (words) => {
    const at = words.indexOf("config");
    if (
      at === -1 ||
      words
        .slice(0, at)
        .some((word) => /^[a-z]/.test(word) && !isOneOf(words[words.indexOf(word) - 1] ?? "", "-C -c"))
    )
      return undefined;
    const rest = words.slice(at + 1);
    if (rest.some((word) => /^(?:--get\S*|-l|--list|get|list)$/.test(word))) return undefined;
    const keys = rest.filter((word) => !word.startsWith("-") && !isOneOf(word, "set unset"));
    const isRisky =
      keys.some((word) => gitKeys.test(word)) || rest.some((word) => isOneOf(word, "-e --edit"));
    if (!isRisky || (keys.length < 2 && !rest.some((word) => /unset|edit|^-e$|remove-section/.test(word))))
      return undefined;
    if (rest.includes("--system")) return "/etc/gitconfig";
    return rest.includes("--global") ? `${homeMark}.gitconfig` : undefined;
  },
  npm: packageConfig(`${homeMark}.npmrc`),
  pnpm: packageConfig(`${homeMark}.npmrc`),
  yarn: (words, run) =>
    words[0] === "config" && words.some((word) => isOneOf(word, "-H --home"))
      ? packageConfig(`${homeMark}.yarnrc.yml`)(words, run)
      : undefined,
  pip: packageConfig(`${homeMark}.config/pip/pip.conf`),
  pip3: packageConfig(`${homeMark}.config/pip/pip.conf`),
  make: (words, run) =>
    asRoot(run) && words.some((word) => isOneOf(word, "uninstall install")) ? "/usr/local" : undefined,
  ninja: (words, run) =>
    asRoot(run) && words.some((word) => isOneOf(word, "uninstall install")) ? "/usr/local" : undefined,
  cmake: (words, run) => (asRoot(run) && words.includes("--install") ? "/usr/local" : undefined),
  dpkg: (words) =>
    words.some((word) => /^(?:-i|--install|-P|--purge|-r|--remove|--force-\S+|--unpack)$/.test(word))
      ? "/usr"
      : undefined,
  rpm: (words) =>
    words.some((word) => /^-[a-zA-Z]*[iUeF][a-zA-Z]*$/.test(word) && !/q/.test(word)) ? "/usr" : undefined,
  apt: localPackage(/^install$/),
  "apt-get": localPackage(/^install$/),
  dnf: localPackage(/^(?:install|localinstall)$/),
  yum: localPackage(/^(?:install|localinstall)$/),
  zypper: localPackage(/^(?:install|in)$/),
  installer: when("/", /^-pkg$/),
  tune2fs: (words) => (words.includes("-l") ? undefined : words.find((word) => word.startsWith("/dev/"))),
  resize2fs: (words) => words.find((word) => word.startsWith("/dev/")),
  xfs_repair: (words) => words.find((word) => word.startsWith("/dev/")),
  e2fsck: (words) =>
    words.some((word) => /^-\w*[ypa]/.test(word))
      ? words.find((word) => word.startsWith("/dev/"))
      : undefined,
  fsck: (words) =>
    words.some((word) => /^-\w*[ypa]/.test(word))
      ? words.find((word) => word.startsWith("/dev/"))
      : undefined,
};

const nothing: Run = { program: "", called: "", args: [], redirects: [], via: [] };

/** The place a program writes to by what it is for: `usermod` to `/etc/passwd`. */
export function placeWrittenBy(run: Run): string | undefined {
  const row = Object.hasOwn(table, run.program) ? table[run.program] : undefined;
  return row?.(wordsOf(run), run);
}
