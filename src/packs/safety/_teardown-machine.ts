import { isOneOf } from "../../core/one-of.ts";
import { hasFlag } from "./_runs.ts";
import { stop, ask, gone, backups, isEverything, verbs, type Row } from "./_teardown-row.ts";

/** Packages without which the machine does not start, or nobody gets in. */
const essential =
  /^\^?(?:libc6|glibc|base|base-system|bash|coreutils|systemd|sudo|openssh-server|linux-image\S*|kernel\S*|python3(?:\.\*|\b.*\*)?|python3?|openssl|libssl\S*|apt|dpkg|rpm|init|grub\S*|network-manager|util-linux)\$?$/;

const packages: Row = (words, plain) => {
  const [verb = "", ...names] = plain;
  if (hasFlag(words, "--dry-run", "-s", "--simulate", "--assumeno")) return undefined;
  if (
    verb === "purge" ||
    (isOneOf(verb, "remove erase autoremove") && words.includes("--purge") && names.length > 0)
  )
    return ask("removes programs with their settings and data");
  return isOneOf(verb, "remove erase del rm") && names.some((name) => essential.test(name))
    ? ask("removes what the system needs")
    : undefined;
};

/** A copy over the system of another machine, or one that takes away what is not at its source. */
const remoteSystem: Row = (words, plain) => {
  const to = /^[\w.-]+(?:@[\w.-]+)?:(.*)$/.exec(plain.at(-1) ?? "")?.[1];
  if (to === undefined || plain.length < 2 || hasFlag(words, "-n", "--dry-run")) return undefined;
  if (
    words.some((word) => word.startsWith("--delete")) &&
    /^\/?(?:[\w.-]+\/?)?$/.test(to) &&
    to.startsWith("/")
  )
    return ask("removes what is not at its source from another machine");
  return /^\/(?:$|(?:etc|usr|bin|sbin|lib|lib64|boot|root)(?:\/|$))/.test(to)
    ? ask("changes the system of another machine")
    : undefined;
};

/** Backups, packages, accounts and guards of a machine, this one or another. */
export const machine: Readonly<Record<string, Row>> = {
  // Backups are what everything else is got back from.
  restic: (words, plain) =>
    isOneOf(plain[0] ?? "", "forget prune key rewrite") || plain.slice(0, 3).includes("forget")
      ? words.some((word) => isOneOf(word, "--dry-run -n list"))
        ? undefined
        : stop(backups)
      : undefined,
  borg: (words, plain) =>
    isOneOf(plain[0] ?? "", "delete prune recreate") && !hasFlag(words, "-n", "--dry-run")
      ? stop(backups)
      : undefined,
  borgmatic: verbs(/^(?:prune|delete|repo-delete)$/, "ask"),
  kopia: verbs(/^(?:delete|expire)$/, "ask"),
  duplicity: (words, plain) =>
    /^(?:remove-|cleanup)/.test(plain[0] ?? "") && words.includes("--force") ? stop(backups) : undefined,
  duplicacy: verbs(/^prune$/, "ask"),
  "rdiff-backup": (words) =>
    words.some((word) => isOneOf(word, "--remove-older-than remove")) ? ask(backups) : undefined,
  tmutil: verbs(/^(?:delete|deletelocalsnapshots|deleteinprogress|disable)$/),
  snapper: verbs(/^(?:delete|remove|rm|undochange|rollback)$/, "ask"),
  timeshift: (words) => (hasFlag(words, "--delete", "--delete-all", "--restore") ? ask(backups) : undefined),
  pgbackrest: (words, plain) =>
    plain.some((word) => isOneOf(word, "stanza-delete expire")) && !words.includes("--dry-run")
      ? ask(backups)
      : undefined,
  "wal-g": verbs(/^delete$/, "ask"),
  barman: verbs(/^delete$/, "ask"),
  vssadmin: verbs(/^delete$/),
  wbadmin: verbs(/^delete$/),
  bcdedit: (words) =>
    words.some((word) => /^\/(?:delete|set)/i.test(word)) ? ask("changes how the machine starts") : undefined,
  reg: (_words, plain) =>
    /^delete$/i.test(plain[0] ?? "") ? ask("removes settings of the system") : undefined,
  schtasks: (words) =>
    words.some((word) => /^\/(?:create|delete)$/i.test(word))
      ? ask("changes what runs by itself")
      : undefined,
  "remove-item": (words) =>
    words.some((word) => /^hk\w{2,3}:|^registry::/i.test(word))
      ? ask("removes settings of the system")
      : undefined,
  "remove-itemproperty": (words) =>
    words.some((word) => /^hk\w{2,3}:|^registry::/i.test(word))
      ? ask("removes settings of the system")
      : undefined,
  "set-mppreference": (words) =>
    words.some((word) => /disable/i.test(word)) ? ask("switches a protection of the system off") : undefined,
  "set-netfirewallprofile": (words) =>
    words.some((word) => /^false$/i.test(word)) ? ask("switches the firewall off") : undefined,
  "set-executionpolicy": (words) =>
    words.some((word) => /^(?:bypass|unrestricted)$/i.test(word)) &&
    !words.some((word) => /^process$/i.test(word))
      ? ask("switches a protection of the system off")
      : undefined,
  "remove-vm": () => ask(gone),
  "remove-localuser": () => ask("removes an account"),
  "remove-aduser": () => stop("removes an account"),
  "remove-azresourcegroup": () => stop(gone),
  spctl: (words) =>
    words.some((word) => isOneOf(word, "--master-disable --global-disable"))
      ? ask("switches a protection of the system off")
      : undefined,
  csrutil: verbs(/^(?:disable|clear)$/, "ask"),
  nft: (_words, plain) =>
    isOneOf(plain[0] ?? "", "flush delete") ? ask("removes the rules of the firewall") : undefined,
  "firewall-cmd": (words) =>
    words.some((word) => /^--(?:panic-on|complete-reload|remove-)/.test(word))
      ? ask("changes the rules of the firewall")
      : undefined,
  auditctl: (words) =>
    hasFlag(words, "-D") || words.join(" ").includes("-e 0")
      ? ask("stops the record of what happens")
      : undefined,
  journalctl: (words) =>
    words.some(
      (word) =>
        /^--vacuum-(?:time|size|files)=?0?|^--rotate$/.test(word) &&
        !/=[1-9]/.test(word) &&
        word !== "--rotate",
    )
      ? ask("removes the record of what happened")
      : undefined,
  "ssh-copy-id": () => ask("lets a key into another machine"),
  apt: packages,
  "apt-get": packages,
  aptitude: packages,
  yum: packages,
  dnf: packages,
  zypper: packages,
  apk: packages,
  pacman: (words, plain) =>
    words.some((word) => /^-R/.test(word)) && plain.some((word) => essential.test(word))
      ? ask("removes what the system needs")
      : undefined,
  brew: (words, plain) =>
    isOneOf(plain[0] ?? "", "uninstall remove rm") && words.some(isEverything)
      ? ask("removes everything that is installed")
      : undefined,
  userdel: () => ask("removes an account"),
  deluser: () => ask("removes an account"),
  iptables: (words) =>
    hasFlag(words, "-F", "--flush") || words.includes("-X")
      ? ask("removes the rules of the firewall")
      : undefined,
  ufw: (_words, plain) =>
    isOneOf(plain[0] ?? "", "disable reset") ? ask("switches the firewall off") : undefined,
  setenforce: (_words, plain) =>
    plain[0] === "0" ? ask("switches a protection of the system off") : undefined,
  scp: remoteSystem,
  rsync: remoteSystem,
  // An account that is made or taken away: `net user alice /delete`.
  net: (words) =>
    /^(?:user|localgroup|group|share)$/i.test(words[0] ?? "") &&
    words.some((word) => /^\/(?:add|delete|active:no)$/i.test(word))
      ? ask("changes the accounts of the machine")
      : undefined,
  dsrm: () => ask("removes entries of a directory"),
  "aa-teardown": () => ask("switches a protection of the system off"),
  "aa-disable": () => ask("switches a protection of the system off"),
  "aa-complain": () => ask("switches a protection of the system off"),
  setsebool: () => ask("changes a protection of the system"),
  semanage: (_words, plain) =>
    plain[0] === "permissive" ? ask("switches a protection of the system off") : undefined,
  xhost: (words) =>
    words.some((word) => word === "+" || /^\+(?!SI:|si:)/.test(word))
      ? ask("lets everybody onto the screen")
      : undefined,
  flatpak: (words, plain) =>
    plain[0] === "uninstall" && hasFlag(words, "--all", "--delete-data")
      ? ask("removes programs with their settings and data")
      : undefined,
  snap: (words, plain) =>
    plain[0] === "remove" && hasFlag(words, "--purge")
      ? ask("removes programs with their settings and data")
      : undefined,
  salt: (_words, plain) =>
    plain.some((word) =>
      /^(?:cmd\.|system\.(?:reboot|shutdown|halt|poweroff)|service\.(?:stop|disable)|pkg\.(?:remove|purge)|file\.remove|user\.delete)/.test(
        word,
      ),
    )
      ? ask("runs a command on other machines")
      : undefined,
  ansible: (words) =>
    words.some(
      (word, at) =>
        isOneOf(word, "-m --module-name") &&
        isOneOf(words[at + 1] ?? "", "shell command raw script file reboot service user"),
    ) || words.some((word) => isOneOf(word, "-mshell -mcommand -mraw"))
      ? ask("runs a command on other machines")
      : words.includes("-a") && !words.includes("-m")
        ? ask("runs a command on other machines")
        : undefined,
  "ansible-playbook": (words, plain) =>
    words.includes("--check") || words.includes("-C") || words.includes("--syntax-check")
      ? undefined
      : plain.some((word) => /destroy|teardown|remove|delete|wipe|decommission/i.test(word)) ||
          words.some((word) => /prod/i.test(word))
        ? ask("changes other machines")
        : undefined,
};
