import { isOneOf } from "../../core/one-of.ts";
import type { Run } from "../../core/command.ts";
import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import { hasPattern, mayBe } from "../../shell/globs.ts";
import { hasFlag, runsOf, shown, wordsOf } from "./_runs.ts";

export default defineRule({
  summary: "Stops formatting, partitioning and writing to disks and other devices.",
  why: "It destroys everything on the device at once, and nothing brings it back.",
  since: "0.1.0",
  outcome: "block",
  presets: { recommended: {} },
  on: {
    events: beforeTool,
    actions: ["exec", "write"],
    programs: [
      "mkfs*",
      "partclone.*",
      "mke2fs",
      "mkswap",
      "newfs*",
      "blkdiscard",
      "wipefs",
      "fdisk",
      "gdisk",
      "sfdisk",
      "cfdisk",
      "sgdisk",
      "parted",
      "hdparm",
      "nvme",
      "cryptsetup",
      "badblocks",
      "diskutil",
      "mdadm",
      "pvcreate",
      "qemu-img",
      "scrub",
      "ddrescue",
      "nwipe",
      "umount",
      "lvremove",
      "vgremove",
      "pvremove",
      "zpool",
      "zfs",
      "btrfs",
      "shred",
      "dd",
      ..."format-volume clear-disk initialize-disk remove-partition new-partition set-partition reset-physicaldisk format diskpart".split(
        " ",
      ),
      ..."flashrom efibootmgr mount bmaptool rpi-imager balena etcher ntfsclone fsarchiver xfs_copy sg_format sg_sanitize".split(
        " ",
      ),
      ..."growpart pvresize dd_rescue lvreduce vgreduce dmsetup bcachefs mkdosfs mkntfs mkexfatfs mkudffs".split(
        " ",
      ),
    ],
  },
  options: (v) => v.strictObject({}),
  messages: {
    formats: { what: "`{command}` changes a disk as a whole.", instead: "Ask the user to do it." },
    fills: {
      what: "`{command}` writes without end, until the disk is full.",
      instead: "Say how much is to be written, such as by `head -c` or `count=`.",
    },
    device: {
      what: "this would write to the device `{path}`.",
      instead: "Write to a file in the workspace.",
    },
  },
  examples: {
    catches: [
      { shell: "mkfs.ext4 /dev/sdb1" },
      { shell: "dd if=image.iso of=/dev/sda bs=4M" },
      { shell: "cat x > /dev/nvme0n1" },
      { shell: "sudo wipefs -a /dev/sdc" },
      { write: "/dev/sda", text: "" },
    ],
    allows: [
      { shell: "dd if=/dev/zero of=disk.img bs=1M count=10" },
      { shell: "lsblk && fdisk -l" },
      { shell: "echo hi > /dev/null" },
      { shell: "echo 'mkfs.ext4 /dev/sdb1' >> notes.md" },
    ],
  },
  *check({ event }) {
    for (const action of event.actions) {
      if (action.kind !== "write" || !action.target) continue;
      if (isDevice(action.target.path) || isDevice(action.target.real))
        yield { message: "device", data: { path: action.target.given } };
    }
    for (const run of runsOf(event)) {
      if (fillsDisk(run)) yield { message: "fills", outcome: "ask", data: { command: shown(run) } };
      if (formats(run)) yield { message: "formats", data: { command: shown(run) } };
    }
  },
});

const devices =
  /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|md|dm-|mapper\/|loop\d|sr\d|mem$|kmem$|port$)/;

/** A pattern is a device when it may stand for one. */
const isDevice = (path: string): boolean =>
  devices.test(path) ||
  (hasPattern(path) &&
    ["sda", "sda1", "nvme0n1", "vda", "hda", "mmcblk0", "disk0"].some((name) => mayBe(path, `/dev/${name}`)));

const endless = /^\/dev\/(?:zero|u?random|full)$/;

/** `cat /dev/zero > x`, `dd if=/dev/zero of=x` without an end, `yes > x` */
function fillsDisk(run: Run): boolean {
  const words = wordsOf(run);
  if (run.elsewhere !== undefined) return false;
  if (run.program === "dd")
    return (
      words.some((word) => word.startsWith("if=") && endless.test(word.slice(3))) &&
      words.some((word) => /^of=(?!\/dev\/)/.test(word)) &&
      !words.some((word) => word.startsWith("count="))
    );
  const isKept = run.redirects.some(
    ({ mode, target }) => mode !== "read" && !target.text.startsWith("/dev/"),
  );
  return (
    isKept &&
    (run.program === "yes" || (isOneOf(run.program, "cat pv") && words.some((word) => endless.test(word))))
  );
}

function formats(run: Run): boolean {
  const words = wordsOf(run);
  const { program } = run;
  if (
    /^mkfs(?:\.\w+)?$|^mke2fs$|^mk(?:dosfs|ntfs|exfatfs|udffs)$|^mkswap$|^newfs\w*$|^blkdiscard$/.test(
      program,
    )
  )
    return (
      words.some((word) => word.startsWith("/dev/") || !/^-|\.(?:img|raw|iso|qcow2|bin)$/.test(word)) &&
      !words.some((word) => /\.(?:img|raw|iso|qcow2|bin)$/.test(word)) &&
      !hasFlag(words, "-n", "--help", "-V", "--version")
    );
  if (/^partclone\./.test(program)) return !hasFlag(words, "-c", "--clone") && words.some(isDevice);
  switch (program) {
    case "wipefs":
      return hasFlag(words, "-a", "--all", "-o", "--offset") && !hasFlag(words, "-n", "--no-act");
    case "fdisk":
    case "gdisk":
    case "sfdisk":
    case "cfdisk":
      return (
        words.some((word) => word.startsWith("/dev/")) &&
        !hasFlag(words, "-l", "--list", "-s", "-d", "--dump")
      );
    case "sgdisk":
      return (
        words.some((word) => word.startsWith("/dev/")) &&
        !hasFlag(words, "-p", "--print", "-i", "--info", "-v", "--verify")
      );
    case "parted":
      return words.some((word) => isOneOf(word, "mklabel mktable mkpart rm resizepart mkfs"));
    case "hdparm":
      return words.some((word) =>
        /^--(?:security-erase|trim-sector|make-bad-sector|write-sector|repair-sector)/.test(word),
      );
    case "nvme":
      return isOneOf(words[0] ?? "", "format sanitize delete-ns write-zeroes");
    case "cryptsetup":
      return words.some((word) => isOneOf(word, "luksFormat erase luksErase reencrypt"));
    case "badblocks":
      return hasFlag(words, "-w");
    case "diskutil":
      return (
        /^(?:erase|partition|secureErase|zeroDisk|randomDisk|reformat)/i.test(words[0] ?? "") ||
        (/^(?:apfs|cs|coreStorage|appleRAID)$/i.test(words[0] ?? "") &&
          /^(?:delete|erase|create|resize|convert)/i.test(words[1] ?? ""))
      );
    case "mdadm":
      return words.some((word) => /^--(?:create|zero-superblock|stop|remove)/.test(word));
    case "pvcreate":
    case "qemu-img":
    case "scrub":
    case "ddrescue":
    case "nwipe":
    case "bmaptool":
    case "rpi-imager":
    case "balena":
    case "etcher":
    case "ntfsclone":
    case "fsarchiver":
    case "xfs_copy":
    case "sg_format":
    case "sg_sanitize":
    case "growpart":
    case "pvresize":
    case "dd_rescue":
      return (
        words.some(isDevice) && !words.some((word) => isOneOf(word, "info probe archinfo --info savefs"))
      );
    case "lvreduce":
    case "vgreduce":
    case "dmsetup":
    case "bcachefs":
      return (
        isOneOf(program, "lvreduce vgreduce") ||
        isOneOf(words[0] ?? "", "remove remove_all wipe_table format")
      );
    case "umount":
      return (
        words.some((word) =>
          isOneOf(word, "/home/ /home /usr/ /usr /var/ /var /boot/ /boot /etc/ /etc // /"),
        ) || hasFlag(words, "-a")
      );
    case "lvremove":
    case "vgremove":
    case "pvremove":
    case "zpool":
    case "zfs":
    case "btrfs":
      return (
        /remove$/.test(program) ||
        (words[0] === "destroy" && !(program === "zfs" && hasFlag(words, "-n"))) ||
        (program === "zpool" && words[0] === "create" && hasFlag(words, "-f")) ||
        isOneOf(words[0] ?? "", "labelclear rollback") ||
        (program === "btrfs" &&
          (words.includes("delete") || (words[0] === "device" && words[1] === "remove")))
      );
    case "format-volume":
    case "clear-disk":
    case "initialize-disk":
    case "remove-partition":
    case "reset-physicaldisk":
      return !hasFlag(words, "-whatif");
    case "format":
      return words.some((word) => /^[a-z]:\\?$/i.test(word));
    case "diskpart":
      return true;
    case "flashrom":
      return words.some((word) => /^-\w*[wE]$|^--(?:write|erase)/.test(word));
    case "efibootmgr":
      return words.some((word) => /^-\w*[Bo]$|^--delete/.test(word));
    case "mount":
      return (
        words.some((word) => /remount/.test(word)) &&
        words.some((word) => isOneOf(word, "/home/ /home /usr/ /usr /var/ /var /boot/ /boot /etc/ /etc // /"))
      );
    case "shred":
    case "dd":
      return words.some(
        (word) => isDevice(word.replace(/^of=/, "")) && (program === "shred" || word.startsWith("of=")),
      );
    default:
      return false;
  }
}
