import { isOneOf, unversioned } from "../../core/one-of.ts";
import type { Run } from "../../core/command.ts";
import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import { feedersOf, hasFlag, plainWords, runsOf, shown, wordsOf } from "./_runs.ts";

export default defineRule({
  summary: "Stops commands that switch the machine off, restart it or bring it to its knees.",
  why: "Everything else that runs on the machine goes down with it.",
  since: "0.1.0",
  outcome: "block",
  presets: { recommended: {} },
  on: {
    events: beforeTool,
    actions: ["exec", "write"],
    programs: [
      "shutdown",
      "reboot",
      "halt",
      "poweroff",
      "init",
      "telinit",
      "systemctl",
      "loginctl",
      "osascript",
      "launchctl",
      "kexec",
      "pm-suspend",
      "node",
      "busctl",
      "dbus-send",
      "gdbus",
      "kill",
      "killall5",
      "killall",
      "pkill",
      "perl",
      "ruby",
      "python*",
      "bash",
      "sh",
      "zsh",
      "fork bomb",
      ..."stop-computer restart-computer stop-process pmset ifconfig ip nmcli networksetup rtcwake ipmitool racadm ipmi-power taskkill fuser php cmd".split(
        " ",
      ),
    ],
  },
  options: (v) => v.strictObject({}),
  messages: {
    power: {
      what: "`{command}` switches the machine off or restarts it.",
      instead: "Ask the user to do it.",
    },
    kills: {
      what: "`{command}` ends processes the task has nothing to do with.",
      instead: "End one process by its number.",
    },
    network: {
      what: "`{command}` takes the machine off the network.",
      instead: "Ask the user to do it.",
    },
    bomb: { what: "this starts copies of itself without end.", instead: "Do not run it." },
  },
  examples: {
    catches: [
      { shell: "sudo shutdown -h now" },
      { shell: "systemctl reboot" },
      { shell: "kill -9 -1" },
      { shell: ":(){ :|:& };:" },
      { shell: "echo b > /proc/sysrq-trigger" },
    ],
    allows: [
      { shell: "systemctl status nginx" },
      { shell: "kill -9 12345" },
      { shell: "pkill -f vite" },
      { shell: "git commit -m 'handle shutdown'" },
    ],
  },
  *check({ event }) {
    for (const action of event.actions) {
      if (action.kind === "write" && action.target?.path === "/proc/sysrq-trigger")
        yield { message: "power", data: { command: "sysrq" } };
    }
    const runs = runsOf(event);
    // A script that starts itself more than once.
    if (
      runs.filter(
        (run) => run.called === "./0" && run.via.some((via) => via === "script" || via.endsWith("sh <")),
      ).length > 1
    )
      yield { message: "bomb" };
    for (const run of runs) {
      if (run.program === "fork bomb" || forks(run)) yield { message: "bomb" };
      else if (switchesOff(run)) yield { message: "power", data: { command: shown(run) } };
      else if (disconnects(run)) yield { message: "network", outcome: "ask", data: { command: shown(run) } };
      else if (killsMany(run)) yield { message: "kills", data: { command: shown(run) } };
    }
  },
});

function switchesOff(run: Run): boolean {
  const words = wordsOf(run);
  switch (run.program) {
    case "shutdown":
      return !hasFlag(words, "-c", "--help", "--show");
    case "reboot":
    case "halt":
    case "poweroff":
      return !hasFlag(words, "--help", "-w", "--wtmp-only");
    case "init":
    case "telinit":
      return /^[06]$/.test(words[0] ?? "");
    case "systemctl":
    case "loginctl":
      return (
        words.some((word) =>
          isOneOf(
            word,
            "poweroff reboot halt kexec suspend hibernate rescue emergency soft-reboot terminate-user kill-user",
          ),
        ) ||
        (words.includes("start") &&
          words.some((word) => isOneOf(word, "reboot.target poweroff.target halt.target"))) ||
        (words.includes("isolate") &&
          words.some((word) => /^(?:rescue|emergency|poweroff|reboot)/.test(word))) ||
        (words.some((word) => isOneOf(word, "stop disable mask kill")) &&
          words.some((word) =>
            /^(?:sshd?|NetworkManager|systemd-\w+|network|networking|dbus|firewalld|ufw|auditd|apparmor)(?:\.service)?$/.test(
              word,
            ),
          ))
      );
    case "launchctl":
    case "kexec":
    case "pm-suspend":
      return run.program !== "launchctl" || words[0] === "reboot";
    case "stop-computer":
    case "restart-computer":
      return !hasFlag(words, "-whatif");
    case "ipmitool":
    case "racadm":
    case "ipmi-power":
      return (
        /\bpower (?:off|cycle|reset|soft)\b|\bpower(?:down|cycle)\b|\bhardreset\b/.test(words.join(" ")) ||
        words.some((word) => isOneOf(word, "--off --cycle --reset --soft"))
      );
    case "pmset":
      return words.some((word) => isOneOf(word, "sleepnow displaysleepnow")) && words[0] === "sleepnow";
    case "rtcwake":
      return words.some((word) => isOneOf(word, "mem disk off standby"));
    case "osascript":
      return words.some((word) => /\b(?:shut down|restart|log out)\b/i.test(word));
    case "busctl":
    case "dbus-send":
    case "gdbus":
      return words.some((word) => /(?:^|\.)(?:PowerOff|Reboot|Halt|Suspend|Hibernate)$/.test(word));
    default:
      return false;
  }
}

/** `ip link set eth0 down`, `nmcli networking off` */
function disconnects(run: Run): boolean {
  if (run.elsewhere !== undefined) return false;
  const text = wordsOf(run).join(" ");
  switch (run.program) {
    case "ifconfig":
      return /^(?!lo\b|docker|veth|br-)\w+ down$/.test(text);
    case "ip":
      return (
        /^(?:-\S+ )*link set (?:dev )?(?!lo\b|docker|veth|br-)\S+ down\b/.test(text) ||
        /^(?:route|addr(?:ess)?) flush\b/.test(text)
      );
    case "nmcli":
      return (
        /^(?:networking|n|radio \w+|r \w+) off$/.test(text) ||
        /^(?:device|dev|d) (?:disconnect|down)\b/.test(text)
      );
    case "networksetup":
      return /^-set(?:airport|networkservice)(?:power|enabled)\b.* off$/i.test(text);
    default:
      return false;
  }
}

function killsMany(run: Run): boolean {
  const words = wordsOf(run);
  // Every process there is, from a list nobody has narrowed down.
  if (run.program === "kill") {
    const feeders = feedersOf(run);
    if (feeders.some(listsProcesses) && !feeders.some(chooses)) return true;
    // `for p in /proc/[0-9]*; do kill ${p##*/}; done`
    if (run.args.some((arg) => /^(?:\/proc\/)?(?:\[0-9\]|\*)[\][0-9*?+-]*(?:\.found)?$/.test(arg.text)))
      return true;
  }
  switch (run.program) {
    case "kill":
      return words
        .slice(words[0] === "-1" && words.length > 1 ? 1 : 0)
        .some(
          (word, at, all) =>
            (word === "-1" && (at > 0 || all.length === 1)) || (word === "1" && at === all.length - 1),
        );
    case "killall5":
      return true;
    case "taskkill":
      return words.some((word, at) => word === "*" && /^\/im$/i.test(words[at - 1] ?? ""));
    case "fuser":
      // Everybody who uses the file system.
      return (
        hasFlag(words, "-k", "--kill") &&
        hasFlag(words, "-m", "--mount") &&
        words.some((word) => /^\/(?:$|home$|usr$|var$)/.test(word))
      );
    case "stop-process":
      // `Get-Process | Stop-Process` ends everything there is.
      return words.includes("*") || words.every((word) => word.startsWith("-"));
    case "killall":
    case "pkill":
      if (
        hasFlag(words, "-u", "-U", "--user", "--euid") &&
        plainWords(words).length <= 1 &&
        !hasFlag(words, "-f")
      )
        return true;
      return words.some((word) => isOneOf(word, ". .* init systemd launchd sshd Finder"));
    default:
      return false;
  }
}

/** `ps`, `pgrep`, `ls /proc` */
const listsProcesses = (run: Run): boolean =>
  isOneOf(run.program, "ps pgrep") ||
  (isOneOf(run.program, "ls find") && wordsOf(run).some((word) => /^\/proc(?:\/|$)/.test(word)));

/** Does a command leave only some of the processes in a list? */
function chooses(run: Run): boolean {
  const words = wordsOf(run);
  const plain = words.filter(
    (word, at) => !word.startsWith("-") && !isOneOf(words[at - 1] ?? "", "-u -U -g -G -n -F"),
  );
  switch (run.program) {
    case "ps":
      return words.some((word) => /^-[Cpt]$|^--(?:pid|ppid|tty)/.test(word));
    case "pgrep":
      return (
        plain.some((word) => !isOneOf(word, ".* . ^")) || words.some((word) => isOneOf(word, "-P -g -s -t"))
      );
    case "grep":
    case "egrep":
    case "rg":
      // Any number is any process.
      return (
        !hasFlag(words, "-v", "--invert-match") &&
        !plain.some((word) => /^\^?(?:\[0-9\]|\\d|\[\[:digit:\]\])[+*]?\$?$/.test(word))
      );
    case "awk":
    case "gawk":
    case "mawk":
      // Everything, or everything but the heading.
      return !plain.some((word) => /^\s*(?:NR\s*>\s*\d+\s*(?:&&)?)?\s*\{[^/~=]*\}\s*$/.test(word));
    case "sed":
      return words.some((word) => word.includes("/"));
    case "head":
    case "fzf":
      return true;
    case "tail":
      return !words.some((word) => word.startsWith("+"));
    default:
      return false;
  }
}

/** A script that starts itself, or an interpreter that forks, without end. */
function forks(run: Run): boolean {
  const text = [...wordsOf(run), run.stdin?.from === "text" ? run.stdin.text : ""].join(" ");
  if (run.program === "cmd") return /%~?0\s*[|&]\s*(?:start\s+)?%~?0/.test(text);
  if (run.program === "php")
    return /while\s*\(\s*(?:1|true)\s*\)\s*\{?\s*pcntl_fork|for\s*\(;;\)\s*\{?\s*pcntl_fork/i.test(text);
  if (isOneOf(unversioned(run.program), "perl ruby python"))
    return (
      text.includes("fork") &&
      /os\.fork\(\)\s*for\s+\w+\s+in\s+(?:iter\(|itertools\.(?:count|repeat|cycle)|range\(\d{4,})|fork\s+while\s+(?:1|true|fork)|while\s*\(?(?:1|true)\)?[:\s{]*(?:os\.)?fork|loop\s*\{\s*fork|while (?:True|1):\s*os\.fork/.test(
        text,
      )
    );
  return isOneOf(run.program, "bash zsh sh") && /^"?\$0"?$|^\.\/0$/.test(run.script ?? "");
}
