import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { stems } from "./_secret-name.ts";
import { shortLiterals } from "./_secret-shape.ts";
import { sqlStem } from "./_secret-sql.ts";
import { redact as redactFully, redactText } from "./redact.ts";
import { mayBeSecretName, mayHoldSecret } from "./secret-hint.ts";
import { growsTooFast, repeated } from "../testing/growth.ts";

const redact = (value: unknown) => {
  const { value: copy, masked } = redactFully(value);
  return { value: copy, masked };
};

// Every secret here is put together at run time, so that no scanner of this repository finds one.
const join = (...parts: string[]) => parts.join("");
const alnum = (length: number) => "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6".repeat(8).slice(0, length);
const hex = (length: number) => "0123456789abcdef".repeat(8).slice(0, length);
const pem = (label: string) =>
  [
    join("-----BEGIN ", label, "PRIVATE KEY-----"),
    alnum(64),
    alnum(40),
    join("-----END ", label, "PRIVATE KEY-----"),
  ].join("\n");

const shaped: Record<string, string[]> = {
  "aws-key": [join("AK", "IA", "IOSFODNN7EXAMPLE"), join("AS", "IA", "IOSFODNN7EXAMPLE")],
  "github-token": [
    ...["p", "o", "u", "s", "r"].map((letter) => join("gh", letter, "_", alnum(36))),
    join("github", "_pat_", alnum(22), "_", alnum(59)),
  ],
  "gitlab-token": [join("gl", "pat-", alnum(20)), join("gl", "pat-", "a1b2-c3d4_e5f6-g7h8i")],
  "slack-token": ["a", "b", "p", "r", "s"].map((letter) =>
    join("xo", "x", letter, "-123456789012-123456789012-", alnum(24)),
  ),
  "anthropic-key": [join("sk", "-ant-", "api03-", alnum(40), "-", alnum(40), "AA")],
  "openai-key": [
    join("sk", "-", alnum(48)),
    join("sk", "-proj-", alnum(60)),
    join("sk", "-", "a".repeat(32)),
  ],
  "google-key": [join("AI", "za", "SyA-1b2_", alnum(27))],
  "stripe-key": [
    join("sk", "_live_", alnum(24)),
    join("rk", "_live_", alnum(24)),
    join("wh", "sec_", alnum(32)),
    join("wh", "sec_", "MfKQ9r8G/YqrTwj+9Xy1+dLjrs/A0aPq"),
  ],
  "npm-token": [join("np", "m_", alnum(36))],
  "pypi-token": [join("py", "pi-", "AgEIcHlwaS5vcmc", alnum(120))],
  "huggingface-token": [join("h", "f_", alnum(34))],
  "sendgrid-key": [join("S", "G.", alnum(22), ".", alnum(43))],
  "twilio-key": [join("S", "K", hex(32)), join("A", "C", hex(32))],
  "vendor-token": [join("dop", "_v1_", hex(64)), join("hv", "s.", alnum(24))],
  jwt: [
    join("ey", "JhbGciOiJIUzI1NiJ9", ".", "ey", "JzdWIiOiIxMjM0In0", ".", alnum(43)),
    join("ey", "JhbGciOiJub25lIn0", ".", "ey", "JzdWIiOiIxMjM0In0", "."),
  ],
  "private-key": ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "].map(pem),
};

// Stands for a password, and for a user and password in base64.
const plant = (text: string) =>
  text.replaceAll("§", join("hunt", "er2")).replaceAll("¤", btoa(join("bob:", "hunt", "er2")));

const everySecret = Object.values(shaped).flat();

describe("secrets with a shape of their own", () => {
  for (const [kind, secrets] of Object.entries(shaped)) {
    test(`${kind} is masked and the text around it stays`, () => {
      for (const secret of secrets) {
        for (const [before, after] of [
          ["", ""],
          ["use ", " from now on"],
          ['{"x":"', '"}'],
          ["line\n", "\nline"],
          ["escaped \\n", "\\n"],
          ["(", ")"],
          ["\u001b[32m", "\u001b[0m"],
          ["größe→", "←"],
        ] as const) {
          const { text, masked } = redactText(before + secret + after);
          expect(text).toBe(`${before}[masked:${kind}]${after}`);
          expect(masked).toBe(true);
        }
      }
    });
  }

  test("webhook addresses keep their host", () => {
    const slack = join("hooks.slack", ".com/services/", "T00000000/B00000000/", alnum(24));
    expect(redactText(`curl https://${slack} -d x`).text).toBe(
      "curl https://hooks.slack.com/services/[masked:slack-webhook] -d x",
    );
    const discord = join("discord.com/api/", "webhooks/", "123456789012345678/", alnum(68));
    expect(redactText(`https://${discord}`).text).toBe(
      "https://discord.com/api/webhooks/[masked:discord-webhook]",
    );
  });

  test("a key that is escaped or cut off is masked to its end", () => {
    const escaped = pem("RSA ").replaceAll("\n", "\\n");
    expect(redactText(`{"key":"${escaped}\\n"}`).text).toBe('{"key":"[masked:private-key]\\n"}');
    const cut = pem("RSA ").slice(0, 90);
    expect(redactText(cut).text).toBe("[masked:private-key]");
    const two = `${pem("RSA ")}\nand\n${pem("EC ")}`;
    expect(redactText(two).text).toBe("[masked:private-key]\nand\n[masked:private-key]");
  });
});

describe("secrets in command lines, headers and addresses", () => {
  const cases: [string, string][] = [
    ["curl -u bob:§ https://x.org", "curl -u bob:[masked:password] https://x.org"],
    ["curl -sSu 'bob:§ two' x.org", "curl -sSu 'bob:[masked:password]' x.org"],
    ['curl --user "bob:§" x.org', 'curl --user "bob:[masked:password]" x.org'],
    ["mysql -u root -p§ db", "mysql -u root -p[masked:password] db"],
    ["mysqldump -p'§ 2' db", "mysqldump -p'[masked:password]' db"],
    ["sshpass -p § ssh host", "sshpass -p [masked:password] ssh host"],
    ["docker login -u bob -p §", "docker login -u bob -p [masked:password]"],
    ["redis-cli -a § ping", "redis-cli -a [masked:password] ping"],
    ["tool --password § --x", "tool --password [masked:password] --x"],
    ["tool --password=§ --x", "tool --password=[masked:password] --x"],
    ["tool --password 'correct horse' y", "tool --password '[masked:password]' y"],
    ["tool -token abcdef -x", "tool -token [masked:token] -x"],
    ["tool --api-key=abcdef", "tool --api-key=[masked:api-key]"],
    ["git clone https://bob:§@x.org/r", "git clone https://bob:[masked:password]@x.org/r"],
    ["postgres://u:p@ss@h:5432/db", "postgres://u:[masked:password]@h:5432/db"],
    ["redis://:§@h:6379", "redis://:[masked:password]@h:6379"],
    ["postgres://u:a/b@h:5432/db", "postgres://u:[masked:password]@h:5432/db"],
    ["postgres://u:a/b@c@h/db", "postgres://u:[masked:password]@h/db"],
    ["postgres://u:p@ss/w@h/db?x=a@b", "postgres://u:[masked:password]@h/db?x=a@b"],
    ["https://bob:a/b@x.org/r", "https://bob:[masked:password]@x.org/r"],
    ["amqp://u:a/1@h1,amqp://u:b/2@h2", "amqp://u:[masked:password]@h1,amqp://u:[masked:password]@h2"],
    [`https://${hex(40)}@x.org/r`, "https://[masked:password]@x.org/r"],
    ["Authorization: Bearer abc", "Authorization: Bearer [masked:authorization]"],
    ["curl -H 'Authorization: Basic ¤' x.org", "curl -H 'Authorization: Basic [masked:authorization]' x.org"],
    ["auth was Bearer abc.def-123456", "auth was Bearer [masked:authorization]"],
    ["proxy-authorization: Bearer abc", "proxy-authorization: Bearer [masked:authorization]"],
    ["-H 'X-Api-Key: abcdef'", "-H 'X-Api-Key: [masked:api-key]'"],
    ["Cookie: sid=abc; theme=dark\nHost: x", "Cookie: [masked:cookie]\nHost: x"],
    ["Set-Cookie: sid=abc; Path=/", "Set-Cookie: [masked:cookie]"],
    ["machine x.org login bob password §", "machine x.org login bob password [masked:password]"],
    [
      `aws configure set aws_secret_access_key ${alnum(40)}`,
      "aws configure set aws_secret_access_key [masked:access-key]",
    ],
    [
      `https://b.s3.test/k?X-Amz-Expires=9&X-Amz-Signature=${hex(64)}&x=1`,
      "https://b.s3.test/k?X-Amz-Expires=9&X-Amz-Signature=[masked:signature]&x=1",
    ],
    [
      `curl "https://g.test/o?X-Goog-Signature=${hex(64)}"`,
      'curl "https://g.test/o?X-Goog-Signature=[masked:signature]"',
    ],
    [
      `?AWSAccessKeyId=a&Signature=${alnum(27)}%3D&Expires=1`,
      "?AWSAccessKeyId=a&Signature=[masked:signature]&Expires=1",
    ],
    [
      `sv=2022-11-02&sp=r&sig=${alnum(10)}%2B${alnum(12)}%2F${alnum(9)}%3D`,
      "sv=2022-11-02&sp=r&sig=[masked:signature]",
    ],
    [`a&amp;sig=${alnum(43)}%3D"`, 'a&amp;sig=[masked:signature]"'],
    [`x\\u0026sig=${alnum(43)}%3D`, "x\\u0026sig=[masked:signature]"],
    ["GET /x?access_token=abc1&y=2", "GET /x?access_token=[masked:token]&y=2"],
    ["Server=db;Password=§;Timeout=5", "Server=db;Password=[masked:password];Timeout=5"],
  ];
  for (const [text, expected] of cases) {
    test(text, () => {
      expect(redactText(plant(text)).text).toBe(expected);
    });
  }
});

describe("secrets in SQL", () => {
  const cases: [string, string][] = [
    ["CREATE USER bob IDENTIFIED BY '§'", "CREATE USER bob IDENTIFIED BY '[masked:password]'"],
    [
      "mysql -e \"create user 'bob'@'%' identified by '§ 2'; flush privileges\"",
      "mysql -e \"create user 'bob'@'%' identified by '[masked:password]'; flush privileges\"",
    ],
    [
      "ALTER USER 'a' IDENTIFIED WITH mysql_native_password BY '§';",
      "ALTER USER 'a' IDENTIFIED WITH mysql_native_password BY '[masked:password]';",
    ],
    ["IDENTIFIED BY PASSWORD '*6C8989366EAF75BB'", "IDENTIFIED BY PASSWORD '[masked:password]'"],
    ["CREATE USER bob IDENTIFIED BY § QUOTA 1", "CREATE USER bob IDENTIFIED BY [masked:password] QUOTA 1"],
    ['ALTER USER bob IDENTIFIED BY "§"', 'ALTER USER bob IDENTIFIED BY "[masked:password]"'],
    [
      "mysql -e 'CREATE USER x IDENTIFIED BY '\\''§'\\'''",
      "mysql -e 'CREATE USER x IDENTIFIED BY '\\''[masked:password]'\\'''",
    ],
    [
      '{\\"q\\": \\"IDENTIFIED BY \\\\\\"§\\\\\\"\\"}',
      '{\\"q\\": \\"IDENTIFIED BY \\\\\\"[masked:password]\\\\\\"\\"}',
    ],
    ["CREATE ROLE app LOGIN PASSWORD '§';", "CREATE ROLE app LOGIN PASSWORD '[masked:password]';"],
    [
      "psql -c \"ALTER USER app WITH ENCRYPTED PASSWORD '§'\"",
      "psql -c \"ALTER USER app WITH ENCRYPTED PASSWORD '[masked:password]'\"",
    ],
    ["alter role app\n  password 'swordfish'", "alter role app\n  password '[masked:password]'"],
    ["SET PASSWORD FOR 'bob' = PASSWORD('§');", "SET PASSWORD FOR 'bob' = PASSWORD('[masked:password]');"],
    ["update user set password=password('§')", "update user set password=password('[masked:password]')"],
    ["CREATE LOGIN l WITH PASSWORD = N'§'", "CREATE LOGIN l WITH PASSWORD = N'[masked:password]'"],
    [
      "UPDATE users SET password = '§' WHERE id = 1",
      "UPDATE users SET password = '[masked:password]' WHERE id = 1",
    ],
  ];
  for (const [text, expected] of cases) {
    test(text, () => {
      expect(redactText(plant(text)).text).toBe(expected);
    });
  }
});

describe("secrets in YAML blocks", () => {
  const cases: [string, string][] = [
    ["password: |\n  §\nuser: bob", "password: |\n  [masked:password]\nuser: bob"],
    [
      "a:\n  db_password: >-\n    one\n\n    two\n  b: 1",
      "a:\n  db_password: >-\n    [masked:password]\n  b: 1",
    ],
    ["- token: |2 # old\n    abc123def\n- x: 1", "- token: |2 # old\n    [masked:token]\n- x: 1"],
    ["client_secret: |-\r\n  abc\r\nx: 1", "client_secret: |-\r\n  [masked:secret]\r\nx: 1"],
    ['"api_key": |\n  abc', '"api_key": |\n  [masked:api-key]'],
    ["+password: |\n+  §\n+user: bob", "+password: |\n+  [masked:password]\n+user: bob"],
    ["password: |\\n  §\\nuser: bob", "password: |\\n  [masked:password]\\nuser: bob"],
    ["passphrase: |\n  correct horse battery staple", "passphrase: |\n  [masked:password]"],
    [`password: |\n  ${"long ".repeat(100)}\nx: 1`, "password: |\n  [masked:password]\nx: 1"],
  ];
  for (const [text, expected] of cases) {
    test(JSON.stringify(text).slice(0, 70), () => {
      expect(redactText(plant(text)).text).toBe(expected);
    });
  }
});

describe("secrets given away by a name in text", () => {
  const cases: [string, string][] = [
    ["DB_PASSWORD=§", "DB_PASSWORD=[masked:password]"],
    ["export API_TOKEN=abc && run", "export API_TOKEN=[masked:token] && run"],
    ['export CLIENT_SECRET="a b c"', 'export CLIENT_SECRET="[masked:secret]"'],
    ["PGPASSWORD=§ psql", "PGPASSWORD=[masked:password] psql"],
    ["A=1\nSECRET_KEY_BASE=x9\nB=2", "A=1\nSECRET_KEY_BASE=[masked:secret-key]\nB=2"],
    ["password: §", "password: [masked:password]"],
    ["  db_password: swordfish # old", "  db_password: [masked:password] # old"],
    ["POSTGRES_PASSWORD: secret", "POSTGRES_PASSWORD: [masked:password]"],
    ["password = §", "password = [masked:password]"],
    ["spring.datasource.password=abc", "spring.datasource.password=[masked:password]"],
    ["aws_secret_access_key = abc", "aws_secret_access_key = [masked:access-key]"],
    ["//packages.example.test/:_authToken=abc1", "//packages.example.test/:_authToken=[masked:token]"],
    ['{"clientSecret": "abc", "x": 1}', '{"clientSecret": "[masked:secret]", "x": 1}'],
    ['{\\"password\\":\\"a b\\"}', '{\\"password\\":\\"[masked:password]\\"}'],
    ['{\\\\\\"token\\\\\\":\\\\\\"ab\\\\\\"}', '{\\\\\\"token\\\\\\":\\\\\\"[masked:token]\\\\\\"}'],
    ["{'api_key': 'abc'}", "{'api_key': '[masked:api-key]'}"],
    ['const apiKey = "abc";', 'const apiKey = "[masked:api-key]";'],
    [":password => 'abc'", ":password => '[masked:password]'"],
    ['os.environ["API_TOKEN"] = "abc"', 'os.environ["API_TOKEN"] = "[masked:token]"'],
    ["<password>abc</password>", "<password>[masked:password]</password>"],
    ["${DB_PASSWORD:-§}", "${DB_PASSWORD:-[masked:password]}"],
    ["AccountKey=abc+/=;EndpointSuffix=x", "AccountKey=[masked:access-key];EndpointSuffix=x"],
    ["token: abc123def", "token: [masked:token]"],
    ["GITHUB_TOKEN: abcdef", "GITHUB_TOKEN: [masked:token]"],
    ["access_token: abcdef", "access_token: [masked:token]"],
    ["ENV API_TOKEN abc123", "ENV API_TOKEN [masked:token]"],
    ["client-key-data: LS0tLS1C", "client-key-data: [masked:secret-key]"],
    ["Password: § is mine", "Password: [masked:password] is mine"],
    ["DB_PW=§ run", "DB_PW=[masked:password] run"],
    ["smtpPw: §", "smtpPw: [masked:password]"],
    ["{ 'root_pw': 'a b' }", "{ 'root_pw': '[masked:password]' }"],
    ["TOKEN=abc\\nNEXT=1", "TOKEN=[masked:token]\\nNEXT=1"],
  ];
  for (const [text, expected] of cases) {
    test(text, () => {
      expect(redactText(plant(text)).text).toBe(expected);
    });
  }
});

describe("look-alikes stay as they are", () => {
  const image = `data:image/png;base64,${"iVBORw0KGgoAAAANSUhEUgAAAAUA+/9k".repeat(40)}`;
  const texts = [
    "0123456789abcdef0123456789abcdef01234567",
    "123e4567-e89b-12d3-a456-426614174000",
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    image,
    "pip install sk-learn",
    "task-1 risk-2 disk-image-2024-01-01-large-edition",
    "sk-this-is-a-very-long-slug-made-of-words",
    "npm_config_registry_and_a_long_name_of_some_kind",
    "highp_float and hf_hub_download(repo_id)",
    "/usr/lib/python3/dist-packages/secretstorage/__init__.py",
    "C:\\Users\\dev\\tokens\\passwords.txt",
    "tokenizer = load()",
    "reset your password",
    "password: see the wiki",
    "Password for 'https://bob@x.org':",
    "fix(auth): token: accept an empty one",
    "the secret of good code",
    "author: Jane Doe",
    "max_tokens: 4096, token_count=12345678",
    "session_id=abc12345 tool_use_id=toolu_1",
    "token: string;",
    "password: string | undefined,",
    "const token = await getToken();",
    "const password = req.body.password;",
    "{ password: z.string().min(8) }",
    "login(user, password=password, token=self.token)",
    "if (password === 'x') return;",
    "Auth::guard() and token::Token",
    'export TOKEN="$OTHER_TOKEN"',
    "TOKEN=$(gh auth token) run",
    "password: ${{ secrets.DB_PASSWORD }}",
    "api_key: <your-key>",
    'curl -H "Authorization: Bearer $TOKEN" https://x.org',
    "docker run -u 1000:1000 curl",
    "docker run --name mysql -p3306:3306 x",
    "mkdir -p mysql/data && cp -a x y",
    "curl https://x.org:8080/a@b",
    "ssh://git@x.org:22/r.git",
    "git@github.com:org/repo.git",
    "http://localhost:3000/@vite/client",
    "Basic usage and bearer authentication",
    '"cookie": "^0.5.0", "next-auth": "4.24.5"',
    "PWD=/work/app OLDPWD=/work",
    "NOPASSWD: ALL",
    "--password-stdin --token-file x --no-auth y",
    join("the header -----BEGIN ", "RSA PRIVATE KEY----- opens a key"),
    "eyJ is how base64 of JSON begins, eyJhbGciOi.",
    "SG.1 and AC and SKU12345",
    "eos_token: </s1>, next_token=page00012",
    "each row is identified by 'id' in the table",
    "a user identified by email, or identified by its number",
    "CREATE USER bob IDENTIFIED BY '$PASSWORD'",
    "CREATE USER bob IDENTIFIED BY '<password>'; ALTER USER bob IDENTIFIED EXTERNALLY",
    "grep -rn password 'src/my app'",
    "rg password '*.ts' && grep -i PASSWORD 'a b.sql'",
    "page.password('Enter your password') and z.password('too short')",
    "CREATE TABLE users (password VARCHAR(255) NOT NULL)",
    "ALTER ROLE app WITH PASSWORD NULL",
    "CREATE USER app PASSWORD '${APP_PASSWORD}'",
    "password: |\n  <your password>\nuser: bob",
    "password: |\n  ${DB_PASSWORD}",
    'secrets: |\n  GIT_AUTH_TOKEN=${{ secrets.TOKEN }}\n  "npm=${{ secrets.NPM }}"',
    "auth: |\n  How to sign in, and what happens\n  when nobody does.",
    "password: |\nuser: bob",
    "echo password: | cat",
    "type A = { password: | 'a' }",
    "sig=inspect.signature(load_something_from_12)",
    "for sig in INT TERM; do trap 'x' $sig; done; sig=SIGTERM12345678901234567",
    "if (a &&sig=readSignature12FromTheHeader(request)) {}",
    "https://x.test/?sig=1&signature=none&sig=<sas-signature-goes-here>",
    "https://x.test/?sig=$SIG&Signature=${SIGNATURE_OF_THE_REQUEST_1}",
    "git log --show-signature; signature=abc",
    "const pw = await playwright.launch(); pw.close()",
    "import { pw } from './pw'; pw: Page",
    "upward = 12345, stopwatch: abc12345",
    "http://localhost:3000/node_modules/@vite/client@5.0.0",
    "http://[::1]:3000/@fs/a@b",
    "https://x.org:8080/a/b@c/d@e",
    "http://$HOST:$PORT/@scope/pkg@1.0.0",
    "https://cdn.test/npm/pkg@1.2.3/dist/@x",
    "git+ssh://github.com:org/repo.git@v1.0",
    "postgres://localhost:5432/app@test",
    "docker://registry.test:5000/image@sha256:abc",
  ];
  for (const text of texts) {
    test(text.slice(0, 70), () => {
      expect(redactText(text)).toEqual({ text, masked: false });
    });
  }
});

describe("secrets given away by a key", () => {
  const kinds: Record<string, string[]> = {
    password: ["password", "PASSWORD", "dbPassword", "db-passwd", "Passphrase", "mysql_pwd", "userPass"],
    secret: ["secret", "clientSecret", "CLIENT_SECRET", "client-secret", "secrets"],
    token: ["token", "apiToken", "GITHUB_TOKEN", "x-access-token", "refreshToken", "token2"],
    "api-key": ["api_key", "apikey", "apiKey", "X-API-Key", "APIKey", "OPENAI_API_KEY"],
    authorization: ["authorization", "Authorization", "auth", "Proxy-Authorization"],
    cookie: ["cookie", "Set-Cookie", "cookies"],
    "private-key": ["private_key", "privateKey", "SSH_KEY"],
    "access-key": ["access_key", "secretAccessKey", "AWS_SECRET_ACCESS_KEY"],
    "secret-key": ["secret_key", "SECRET_KEY_BASE", "encryptionKey"],
    credentials: ["credentials", "credential", "dbCredentials"],
  };
  for (const [kind, keys] of Object.entries(kinds)) {
    test(`${kind}: ${keys.join(", ")}`, () => {
      for (const key of keys) {
        expect(redact({ a: { [key]: "x" } })).toEqual({
          value: { a: { [key]: `[masked:${kind}]` } },
          masked: [`a.${key}`],
        });
      }
    });
  }

  test("harmless keys keep their values", () => {
    const value = Object.fromEntries(
      (
        "tokens max_tokens token_count tokenizer author authors session_id tool_use_id secretary key " +
        "public_key primaryKey keyboard passed passenger compass token_type secret_name cookie_name " +
        "password_file auth_url has_password resetPassword next_token eos_token oauth monkey"
      )
        .split(" ")
        .map((key) => [key, "x"]),
    );
    expect(redact(value)).toEqual({ value, masked: [] });
  });

  test("PWD is a password unless it names a folder", () => {
    const value = { pwd: "/work/app", PWD: "C:\\work" };
    expect(redact(value)).toEqual({ value, masked: [] });
    expect(redact({ pwd: "hunter2" }).masked).toEqual(["pwd"]);
  });

  test("everything below a secret key is masked, except what says nothing", () => {
    const value = { credentials: { user: "bob", list: ["a", 123456], on: true, none: null, n: 3, e: "" } };
    expect(redact(value)).toEqual({
      value: {
        credentials: {
          user: "[masked:credentials]",
          list: ["[masked:credentials]", "[masked:credentials]"],
          on: true,
          none: null,
          n: 3,
          e: "",
        },
      },
      masked: ["credentials.user", "credentials.list.0", "credentials.list.1"],
    });
  });

  test("pairs of name and value, and flags in a list, count as names", () => {
    expect(redact({ env: [{ name: "API_TOKEN", value: "abc" }] }).masked).toEqual(["env.0.value"]);
    expect(redact({ args: ["--password", "abc", "--name", "bob"] })).toEqual({
      value: { args: ["--password", "[masked:password]", "--name", "bob"] },
      masked: ["args.1"],
    });
    expect(redact([{ name: "colour", value: "red" }]).masked).toEqual([]);
  });

  test("a payload of a tool call names what was masked", () => {
    const payload = {
      tool_name: "Bash",
      tool_input: { command: "TOKEN=abc run", env: { API_TOKEN: "abc" } },
    };
    expect(redact({ payload })).toEqual({
      value: {
        payload: {
          tool_name: "Bash",
          tool_input: { command: "TOKEN=[masked:token] run", env: { API_TOKEN: "[masked:token]" } },
        },
      },
      masked: ["payload.tool_input.command", "payload.tool_input.env.API_TOKEN"],
    });
  });

  test("a secret used as a key is masked and stays one key", () => {
    const [one = "", two = ""] = shaped["github-token"] ?? [];
    expect(redact({ [one]: "a", [two]: "b" })).toEqual({
      value: { "[masked:github-token]": "a", "[masked:github-token]#2": "b" },
      masked: [],
    });
  });
});

describe("strange values", () => {
  test("the result is a copy and the value is left alone", () => {
    const value = { a: [{ password: "x" }], b: { c: 1 } };
    const before = structuredClone(value);
    const result = redact(value).value as typeof value;
    expect(value).toEqual(before);
    expect(result.b).not.toBe(value.b);
  });

  test("what is nested too deep, or in itself, is cut", () => {
    let deep: unknown = "x";
    for (let n = 0; n < 100_000; n++) deep = [deep];
    expect(JSON.stringify(redact(deep).value)).toBe(`${"[".repeat(200)}"[too deep]"${"]".repeat(200)}`);
    const loop: Record<string, unknown> = { a: 1 };
    loop["self"] = loop;
    expect(redact(loop).value).toEqual({ a: 1, self: "[circular]" });
  });

  test("values JSON does not know do not throw", () => {
    const value = { f: () => 1, u: undefined, s: Symbol("s"), n: 10n, d: NaN };
    expect(redact(value).value).toEqual({ f: undefined, u: undefined, s: undefined, n: "10", d: NaN });
    const hostile = {
      get x() {
        throw new Error("no");
      },
    };
    expect(redact(hostile)).toEqual({ value: "[unreadable]", masked: [""] });
  });

  test("a field called __proto__ is kept as a field", () => {
    const value = JSON.parse('{"__proto__":{"password":"x"},"a":1}');
    const result = redact(value);
    expect(JSON.stringify(result.value)).toBe('{"__proto__":{"password":"[masked:password]"},"a":1}');
    expect(result.masked).toEqual(["__proto__.password"]);
  });
});

describe("for any input", () => {
  // Pieces that mean something to a rule, so that random texts come near its edges.
  const piece = fc.oneof(
    fc.constantFrom(
      ...everySecret,
      ..."password token secret apiKey API_TOKEN auth cookie Authorization Bearer Basic mysql curl".split(
        " ",
      ),
      ...'-u -p --password --token= : = => := :// @ " \' ` \\ \\" \\n [ ] { } ( ) < > $ ${ ; , . - _'.split(
        " ",
      ),
      ..."[masked:token] [masked:password] [masked: sk- eyJ ghp_ set login export hunter2 x /".split(" "),
      ..."IDENTIFIED BY WITH PASSWORD( CREATE USER &sig= postgres://u:a/b@h pw | >- password:".split(" "),
      "password: |\n  ",
      "\n",
      " ",
      "  ",
      join("-----BEGIN ", "RSA PRIVATE KEY-----"),
      join("-----END ", "RSA PRIVATE KEY-----"),
    ),
    fc.string({ unit: "grapheme", maxLength: 6 }),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(""));
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      text,
      fc.jsonValue(),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(
        fc.oneof(text, fc.constantFrom("token", "name", "key", "value", "args", "__proto__", "command")),
        tie("value"),
        { maxKeys: 4 },
      ),
    ),
  })).value;
  const runs = { numRuns: Number(process.env["REDACT_RUNS"] ?? 500) };

  // How many fields there are and where; numbers may turn into masks.
  function outline(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(outline);
    if (typeof value !== "object" || value === null) return typeof value === "boolean" ? value : "leaf";
    return Object.values(value).map(outline);
  }

  test("nothing throws, the result is JSON and keeps its outline", () => {
    fc.assert(
      fc.property(json, (value) => {
        const result = redact(value);
        expect(typeof JSON.stringify(result.value)).toBe("string");
        expect(outline(result.value)).toEqual(outline(value));
      }),
      runs,
    );
  });

  test("a second time nothing more is masked", () => {
    fc.assert(
      fc.property(json, (value) => {
        const once = redact(value).value;
        const twice = redact(once);
        expect(twice.masked).toEqual([]);
        expect(JSON.stringify(twice.value)).toBe(JSON.stringify(once));
      }),
      runs,
    );
  });

  test("the hint that decides whether to look at all overlooks nothing", () => {
    // By themselves these two are in every other command line.
    const needed: Record<string, string> = { "://": "://a:b@c", curl: "curl -su a:b" };
    for (const literal of [...stems, sqlStem, ...shortLiterals]) {
      expect(mayHoldSecret(needed[literal] ?? literal.replace("\\.", "."))).toBe(true);
    }
    for (const secret of everySecret) {
      const masked = redact({ secret }).masked.length > 0;
      expect([secret, !masked || mayHoldSecret(JSON.stringify({ secret }))]).toEqual([secret, true]);
    }
    fc.assert(
      fc.property(json, (value) => {
        if (redact(value).masked.length > 0) expect(mayHoldSecret(JSON.stringify(value))).toBe(true);
      }),
      runs,
    );
  });

  test("nor where the folder one is in stands in a name or beside one", () => {
    const values = [
      { "db$(PWD)": "hunter2" },
      { a: { "$(pwd)": "hunter2" } },
      { x: "$(pwd)=hunter2", "y$(pwd)": 1 },
    ];
    for (const value of values)
      if (redact(value).masked.length > 0) expect(mayHoldSecret(JSON.stringify(value))).toBe(true);
    expect(redact(values[0]).masked).toEqual(["db$(PWD)"]);
    expect(mayHoldSecret(JSON.stringify({ command: 'ls "$(pwd)/src"' }))).toBe(false);
    expect(mayHoldSecret(JSON.stringify({ command: "pwsh -c ls" }))).toBe(false);
  });

  test("nor does the hint for names of files", () => {
    const pieces = everySecret.flatMap((secret) => [secret, ...secret.split(/[^\w.-]+/)]);
    for (const name of [...pieces, ...shortLiterals.map((literal) => `${literal.replace("\\.", ".")}abcd`)])
      if (redactText(name).masked) expect([name, mayBeSecretName(name)]).toEqual([name, true]);
    const letters = fc.constantFrom(
      ..."abcXYZ019_.-",
      ...stems,
      ...shortLiterals.map((each) => each.replace("\\.", ".")),
    );
    fc.assert(
      fc.property(fc.string({ unit: letters, maxLength: 30 }), (name) => {
        if (redactText(name).masked) expect([name, mayBeSecretName(name)]).toEqual([name, true]);
      }),
      { numRuns: 2000 },
    );
  });

  test("a planted secret never survives, wherever it stands", () => {
    const edge = fc.constantFrom(" ", "\n", '"', "'", "=", ":", "(", ",", "/", "\\n", "→", "");
    const plain = fc.string({ unit: "grapheme", maxLength: 20 });
    const planted = fc
      .tuple(plain, edge, fc.constantFrom(...everySecret), fc.constantFrom(" ", "\n", '"', "'", ")", "→", ""))
      .chain(([before, left, secret, right]) =>
        plain.map((after) => {
          // A secret needs an edge where other text touches it, else it is another, longer word.
          const head = left === "" ? "" : before + left;
          return { secret, value: head + secret + (right === "" ? "" : right + after) };
        }),
      );
    fc.assert(
      fc.property(planted, fc.constantFrom("a", "content", "0"), ({ secret, value }, key) => {
        for (const holder of [value, [value], { [key]: { x: [value] } }, { [value]: 1 }]) {
          expect(JSON.stringify(redact(holder).value)).not.toContain(JSON.stringify(secret).slice(1, -1));
        }
      }),
      runs,
    );
  });

  test("the value of a secret name never survives", () => {
    const value = fc
      .stringMatching(/^[A-Za-z0-9!#%+*?^~@_.-]{6,24}$/)
      .filter((one) => /\d/.test(one) && /[a-z]/i.test(one) && !/^[-*&#%]|^[\d.^~-]+/.test(one));
    const name = fc.constantFrom("DB_PASSWORD", "API_TOKEN", "CLIENT_SECRET", "STRIPE_API_KEY");
    fc.assert(
      fc.property(name, value, (key, secret) => {
        for (const line of [
          `${key}=${secret}`,
          `export ${key}="${secret}"`,
          `${key}: ${secret}`,
          `"${key}": "${secret}"`,
          `${key.toLowerCase()} = '${secret}'`,
          `--${key.toLowerCase().replace("_", "-")} ${secret}`,
        ]) {
          expect(redactText(`a\n${line}\nb`).text).not.toContain(secret);
        }
      }),
      runs,
    );
  });
});

describe("time grows with the length and no faster", () => {
  const isSlow = (unit: string, kb: number): boolean => growsTooFast(redactText, repeated(unit), kb, 8);

  const plain = ["a", "eyJ", "-----BEGIN ", "password=", "sk-"];
  test.each(plain)("1 MB and 8 MB of %p", (unit) => {
    expect(isSlow(unit, 1024)).toBe(false);
  });

  const cunning = [
    ...`-eyJ eyJ. password=" password='a token ://a: ://a@ \${token:- <token> [masked:token]`.split(" "),
    ..."token=[masked: token=\\ token:\n cookie:a=b; Basic_aA".split(" "),
    join("-----BEGIN ", "PRIVATE KEY-----"),
    "password: x ",
    "token ",
    " sk-a",
    "Bearer ",
    "Basic aA",
    " --token ",
    "curl -u ",
    'curl -u "a:',
    "mysql -p ",
    "login x ",
    "token                ",
    "set token ",
    "token=[masked: ",
    "TOKEN={{",
    "token=$(",
    "token=a.",
    "token=a(",
    "TOKEN=%(",
    "${token:-{{",
    'token=\\\\\\" ',
    "token='{{",
    "://a:b/",
    "://a:b/@",
    "postgres://a:b@c/",
    "IDENTIFIED BY ",
    "IDENTIFIED BY '",
    "IDENTIFIED WITH a ",
    "CREATE USER a IDENTIFIED BY ",
    "PASSWORD '",
    "SET PASSWORD(",
    "password: |\n",
    "password: |\n  ",
    "auth: |\n  a b c d\n",
    " password: |\n  a\n",
    "&sig=",
    "&sig=a1%2",
    "\\u0026Signature=",
  ];
  test.each(cunning)("64 KB and 512 KB of %p", (unit) => {
    expect(isSlow(unit, 64)).toBe(false);
  });
});

test("what was taken out is told apart from the copy, so that it can be found elsewhere", () => {
  const secret = join("hunter2", "hunter3");
  const { secrets } = redactFully({
    command: `export PASSWORD=${secret} && run`,
    env: { API_TOKEN: "abcdef" },
  });
  expect(secrets).toEqual([secret, "abcdef"]);
});

test("what the rule about secrets says of a file is no secret; a secret in it is", () => {
  const said = "Confirmation asked by safety/secrets: `.env` usually holds passwords and tokens.";
  expect(redactText(said).text).toBe(said);
  const key = `sk-ant-${"a1B2".repeat(8)}`;
  expect(redactText(`Blocked by safety/secrets: \`${key}\` is sent.`).text).not.toContain(key);
  expect(redactText("secrets: `hunter2-or-so`").text).not.toContain("hunter2");
});

test("a secret in base64 is masked with what it is in; base64 of anything else stays", () => {
  const encoded = (text: string) => Buffer.from(text).toString("base64");
  const secret = `ghp_${"A1b2C3d4E5f6".repeat(3)}`;
  for (const hidden of [
    encoded(`token=${secret}`),
    Buffer.from(`export DB_PASSWORD=correcthorse42battery\n`).toString("base64url"),
    encoded("-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n"),
  ]) {
    expect(redactText(`echo ${hidden} | base64 -d`)).toEqual({
      text: "echo [masked:encoded] | base64 -d",
      masked: true,
    });
    expect(redact({ content: hidden }).masked).toEqual(["content"]);
  }
  for (const plain of [
    encoded("a harmless sentence about nothing at all"),
    "/usr/local/lib/node_modules/typescript/lib/typescript.js",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    Buffer.from(crypto.getRandomValues(new Uint8Array(600))).toString("hex"),
  ])
    expect(redactText(`see ${plain}`).masked).toBe(false);
});
