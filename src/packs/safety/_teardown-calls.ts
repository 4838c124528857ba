import type { Run } from "../../core/command.ts";
import { requestsOf } from "./_requests.ts";
import { wordsOf } from "./_runs.ts";

/** Libraries of clouds and clusters. */
const clouds =
  /^(?:boto3?|botocore|aioboto3|aws-sdk|@aws-sdk\/|Aws\b|google\.cloud|googleapiclient|@google-cloud\/|azure\b|@azure\/|kubernetes\b|@kubernetes\/|docker\b|dockerode|digitalocean|hcloud|openstack|cloudflare|hvac|consul|etcd3|pika)/;

const losing =
  /^(?:begin_?)?(?:delete|terminate|destroy|purge|deregister|empty|prune|remove|drop|deallocate|schedule_?key_?deletion)/i;

/** One thing among many, or a label: daily work. */
const small =
  /^(?:delete|remove)_?(?:message|tags?|object|item|log_?events|object_?tagging|label|annotation|permission|metric)(?:s?_?batch|s?command|command)?$/i;

/** Does code call a cloud or a cluster to take something away? */
export function callsForTeardown(run: Run): boolean {
  return (run.effects ?? []).some((effect) => {
    if (effect.do !== "call" || !clouds.test(effect.name)) return false;
    const last = effect.name.slice(effect.name.lastIndexOf(".") + 1);
    return (
      losing.test(last) &&
      !small.test(last) &&
      !/\.(?:Object|Blob|blob|file|Message)\.delete$/.test(effect.name)
    );
  });
}

/** Interfaces of clouds, clusters and platforms. */
const hosts =
  /(?:^|\.)(?:management\.azure\.com|googleapis\.com|amazonaws\.com|api\.digitalocean\.com|api\.cloudflare\.com|api\.hetzner\.cloud|api\.heroku\.com|api\.vercel\.com|api\.netlify\.com|api\.linode\.com|api\.vultr\.com|api\.scaleway\.com|api\.fly\.io|api\.machines\.dev|api\.render\.com|app\.terraform\.io|api\.pulumi\.com|api\.supabase\.com|api\.mongodb\.com|cloud\.mongodb\.com|console\.neon\.tech|api\.aiven\.io|api\.sendgrid\.com|api\.mailgun\.net|api\.postmarkapp\.com|app\.launchdarkly\.com|api\.datadoghq\.(?:com|eu)|api\.pagerduty\.com|api\.newrelic\.com|api\.stripe\.com|api\.fastly\.com|api\.algolia\.net|api\.twilio\.com|api\.auth0\.com|sentry\.io|circleci\.com|gitlab\.com)$/;

/** Does a request ask a cloud or a cluster to take something away? */
export function requestsTeardown(run: Run): boolean {
  return requestsOf(run).some(({ verb, host, port, path }) => {
    if (verb !== "DELETE")
      return /\/(?:volumes|containers|images|system)\/prune$/.test(path) && verb === "POST";
    if (hosts.test(host)) return true;
    // A cluster by its own interface, or a container engine by its socket.
    if (
      /^\/apis?\/[\w./-]*(?:namespaces|nodes|persistentvolumes|deployments|statefulsets|services|customresourcedefinitions)\b/.test(
        path,
      )
    )
      return port === "6443" || port === "8001" || /kube|k8s/.test(host) || path.includes("/namespaces/");
    return (
      wordsOf(run).some((word) => /docker\.sock|podman\.sock|containerd\.sock/.test(word)) ||
      /^237[56]$/.test(port)
    );
  });
}
