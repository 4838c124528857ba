/** Words that make a command line worth a question when what it runs is only known when it runs. */
const strong =
  /\brm\s+-\w*[rf]|(?:^|\s)-\w*(?:rf|fr)\w*(?:\s|$)|\bmkfs\b|\bdd\s+\w*if=|\bshred\b|\bwipefs\b|\bdrop\s+(?:table|database)\b|\btruncate\s+table\b|--force(?![\w-])|--hard(?![\w-])|\bshutdown\b|\breboot\b|\b(?:curl|wget)\b[^\n]{0,1000}\|\s*(?:ba|z)?sh|remove-item|format-volume|\bdel\s+\/|\brd\s+\/s|base64\s+(?:-d|--decode)|chmod\s+-R|\/dev\/sd/i;

/**
 * The same for one that nobody could follow at all, which is longer, deeper or slower than what people write. Each rule has
 * its words here; adding one is adding a row.
 */
const wide: readonly RegExp[] = [
  strong,
  // Deleting, by commands and by libraries.
  /\brm\b|\s-delete\b|\b(?:rmdir|unlink|truncate|rimraf)\b|rmtree|rm_rf|rmSync|rmdirSync|unlinkSync|remove_tree|removeSync|Deno\.remove|rsync\b.{0,200}--delete/i,
  /\b(?:ri|del|erase|rd|format)\s+(?:[-/]|[a-z]:)|\[IO\./i,
  // Git.
  /\bgit\b[^\n;|&]{0,200}\s(?:-f|-D|--delete|--mirror|--prune\S*|clean|restore|filter-\w+|update-ref|reflog|reset|worktree\s+remove|rm)(?:\s|$)/,
  /\bgit\b[^\n;|&]{0,200}\s(?:checkout\s+(?:\S+\s+)?(?:--|\.)|stash\s+(?:drop|clear)|push\s+\S+\s+["']?[+:]|switch\s+-)/,
  // Disks, power, rights.
  /\b(?:mkfs|fdisk|sfdisk|sgdisk|parted|blkdiscard|cryptsetup|lvremove|vgremove|zpool|zfs|diskutil|diskpart|mkswap)\b|\bof=\/dev\/|>\s*\/dev\/(?!null|stdout|stderr|tty|fd)|\/dev\/(?:disk|nvme|mmcblk|sd)/,
  /\b(?:poweroff|halt|telinit|killall5?|pkill|stop-computer|restart-computer|clear-disk)\b|\binit\s+[06]\b|\bkill\b[^\n;|&]{0,200}\s-1\b|:\(\)\s*\{|sysrq/i,
  /\b(?:chmod|chown|chgrp|setfacl|chattr|setcap|icacls|visudo|useradd|usermod|userdel|passwd|crontab|iptables|systemctl)\b|\bsudo\b|\bsu\s+-/,
  // Code from elsewhere, and code in disguise.
  /\b(?:curl|wget|nc|ncat|socat|aria2c|scp|sftp)\b|\/dev\/tcp|\|\s*(?:\w+\s+)?(?:ba|z|da|k)?sh\b|\beval\b|\bexec\s*\(|\bsource\s+<\(|xxd\s+-r|b64decode|frombase64|\biex\b|invoke-expression|downloadstring|encodedcommand/i,
  // Databases.
  /\b(?:drop|truncate|delete\s+from|dropdb|flushall|flushdb|dropDatabase|deleteMany)\b|\b(?:db|migrate):(?:drop|reset|fresh|wipe)|migrate\s+reset|manage\.py\s+flush|\bupdate\s+\w+\s+set\b/i,
  // Machines and clusters.
  /\b(?:destroy|terminate-\w+|delete-\w+|uninstall|auto-approve|prune)\b|\b(?:kubectl|k|oc|helm|gcloud|gsutil|az|aws|eksctl|docker|podman|heroku|fly|flyctl|gh|vercel|netlify|doctl)\b[^\n;|&]{0,200}\s(?:delete|destroy|rm|rb|remove|down)\b/,
  // Publishing.
  /\b(?:npm|pnpm|yarn|bun|cargo|poetry|uv|gem|twine|docker|podman|helm|mvn|mvnw|gradlew?|dotnet|vsce|gh|lerna|changeset)\b[^\n;|&]{0,200}\s(?:publish|push|--push|upload|deploy|yank|release)\b/,
  // Secrets and the environment.
  /(?:^|[\s/'"=@<(])\.env(?:\.\w+)?\b|\bid_(?:rsa|dsa|ecdsa|ed25519)|\.(?:ssh|aws|kube|gnupg|netrc|npmrc|pypirc)\b|\bprintenv\b|\benv\s*\||process\.env|os\.environ|\/etc\/|--export-secret|find-generic-password|(?:_KEY|_TOKEN|_SECRET)\b|\bauth\s+token\b/,
  // The guard, and places outside the workspace.
  /hookline|\.(?:claude|cursor|codex|gemini|qwen|opencode|windsurf|harness)\b|\.github\/hooks|hooksPath|\.git\/|settings(?:\.local)?\.json/,
  />{1,2}\s*["']?(?:~|\$HOME|\$\{HOME|\.\.\/|\/(?!tmp\/|dev\/null|var\/tmp\/))|\s(?:~|\$HOME|\.\.)(?:\/|\s|$)|\s\/(?:usr|opt|root|home|srv|boot|bin|lib)?(?:\/|\s|$)/,
];

/** The first dangerous word of a text; `wide` for one that could not be followed. */
export function dangerousWordIn(text: string, isFollowed: boolean): string | undefined {
  for (const pattern of isFollowed ? [strong] : wide) {
    const word = pattern.exec(text)?.[0]?.trim().slice(0, 40);
    if (word !== undefined) return word;
  }
  return undefined;
}
