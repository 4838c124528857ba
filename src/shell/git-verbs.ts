import { isOneOf } from "../core/one-of.ts";

/** An alias cannot change what these mean, and what is none of them may mean anything. */
const verbs =
  "add am annotate apply archive backfill bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap " +
  "check-ref-format checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph commit-tree config " +
  "count-objects credential credential-cache credential-store daemon describe diagnose diff diff-files diff-index diff-pairs diff-tree " +
  "difftool fast-export fast-import fetch fetch-pack filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck gc " +
  "get-tar-commit-id grep gui hash-object help history hook http-fetch http-push imap-send index-pack init init-db instaweb " +
  "interpret-trailers last-modified log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index " +
  "merge-one-file merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes p4 pack-objects pack-redundant pack-refs patch-id " +
  "prune prune-packed pull push quiltimport range-diff read-tree rebase receive-pack reflog refs remote repack replace replay repo " +
  "request-pull rerere reset restore rev-list rev-parse revert rm send-email send-pack shortlog show show-branch show-index show-ref " +
  "sparse-checkout stage stash status stripspace submodule subtree svn switch symbolic-ref tag unpack-file unpack-objects update-index " +
  "update-ref update-server-info var verify-commit verify-pack verify-tag version whatchanged worktree write-tree lfs";

export const isGitVerb = (verb: string): boolean => isOneOf(verb, verbs);
