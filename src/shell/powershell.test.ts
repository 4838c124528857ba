import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Effect } from "./model.ts";
import { effectsOfPowerShell, type PsCommand, unfoldCmd, unfoldPowerShell } from "./powershell.ts";
import { growsTooFast, repeated } from "../testing/growth.ts";

/** `?` for what is not known, then the name, the arguments and the flags in the order of their names. */
function shown({ name, args, flags, known }: PsCommand): string {
  const sorted = Object.entries(flags).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const options = sorted.map(([key, value]) => (value === true ? `-${key}` : `-${key}=${value}`));
  return `${known ? "" : "?"}${[name, ...args.map((arg) => `<${arg}>`), ...options].join(" ")}`;
}

const base64 = (script: string): string => Buffer.from(script, "utf16le").toString("base64");

type Case = readonly [script: string, ...commands: string[]];

const powershell: readonly Case[] = [
  ["Remove-Item x", "remove-item <x>"],
  ["Remove-Item -Recurse -Force C:\\temp\\x", "remove-item <C:\\temp\\x> -force -recurse"],
  ["REMOVE-ITEM x", "remove-item <x>"],
  ["rm x; ri x; del x", "remove-item <x>", "remove-item <x>", "remove-item <x>"],
  ["erase x; rd x; rmdir x", "remove-item <x>", "remove-item <x>", "remove-item <x>"],
  ["rm -r -fo x", "remove-item <x> -force -recurse"],
  ["rm -rec -force x", "remove-item <x> -force -recurse"],
  ["rm -r -f x", "remove-item <x> -force -recurse"],
  ["rm -rf x", "remove-item <x> -force -recurse"],
  ["rm –Recurse x", "remove-item <x> -recurse"],
  ["Remove-Item -Path:x -Recurse:$true", "remove-item -path=x -recurse"],
  ["Remove-Item x -Recurse:$false -Confirm:$false", "remove-item <x> -confirm=false"],
  ["Remove-Item -LiteralPath 'a b'", "remove-item -literalpath=a b"],
  ["Remove-Item -Path a, b", "remove-item -path=a,b"],
  ["Remove-Item a,'b c' , d", "remove-item <a> <b c> <d>"],
  ["Remove-Item x -ea SilentlyContinue", "remove-item <x> -erroraction=SilentlyContinue"],
  ["Microsoft.PowerShell.Management\\Remove-Item x", "remove-item <x>"],
  ["Remove-Item `\n  -Path x `\n  -Force", "remove-item -force -path=x"],
  ["Remove-Item 'it''s'", "remove-item <it's>"],
  ['Remove-Item "a`"b`tc"', 'remove-item <a"b\tc>'],
  ["Remove-Item ‘x’", "remove-item <x>"],
  ["r`m x", "remove-item <x>"],
  ["Get-ChildItem C:\\t | Remove-Item", "get-childitem <C:\\t>", "remove-item -path=C:\\t\\*"],
  [
    "gci C:\\t -Recurse -Filter *.log | rm -Force",
    "get-childitem <C:\\t> -filter=*.log -recurse",
    "remove-item -force -path=C:\\t\\*.log -recurse",
  ],
  ["ls *.tmp | ri", "get-childitem <*.tmp>", "remove-item -path=*.tmp"],
  [
    "gci | ? { $_.Length -gt 5 } | % { rm $_.FullName }",
    "get-childitem",
    "where-object",
    "remove-item <.\\*>",
    "foreach-object",
  ],
  ["gci x | % Delete", "get-childitem <x>", "foreach-object <Delete>", "remove-item <x\\*>"],
  ["'a', 'b' | Remove-Item", "remove-item -path=a,b"],
  ["Get-Thing | Remove-Item", "get-thing", "?remove-item -path=$(Get-Thing)"],
  ["$f = gci x; $f | rm", "get-childitem <x>", "remove-item -path=x\\*"],
  ["$p = 'C:\\' + 'x'; rm \"$p\\y\"", "remove-item <C:\\x\\y>"],
  ["$p = 'a'; $p += 'b'; rm $p", "remove-item <ab>"],
  ["[string]$p = 'a'; rm ${p}", "remove-item <a>"],
  ["rm $x", "?remove-item <$x>"],
  ["rm $env:TEMP\\x", "?remove-item <$env:temp\\x>"],
  ["rm $HOME/x", "remove-item <~/x>"],
  ["rm $env:USERPROFILE\\x", "remove-item <~\\x>"],
  ["rm (Join-Path $HOME 'x')", "join-path <~> <x>", "remove-item <~\\x>"],
  ["rm $(Get-Location)", "get-location", "remove-item <.>"],
  ['rm "a$(rm b)c"', "remove-item <b>", "?remove-item <a$(rm b)c>"],
  ["foreach ($f in 'a', 'b') { rm $f }", "remove-item <a> <b>"],
  [
    "if ($x) { rm a } elseif ($y) { rm b } else { rm c }",
    "remove-item <a>",
    "remove-item <b>",
    "remove-item <c>",
  ],
  ["try { rm a } catch { rm b } finally { rm c }", "remove-item <a>", "remove-item <b>", "remove-item <c>"],
  ["function Clean { rm a }; Clean", "remove-item <a>", "clean"],
  ["while ($true) { rm a }", "remove-item <a>"],
  ["switch ($x) { 'a' { rm b } default { rm c } }", "remove-item <b>", "remove-item <c>"],
  ["rm a && rm b || rm c", "remove-item <a>", "remove-item <b>", "remove-item <c>"],
  ["rm a & rm b", "remove-item <a>", "remove-item <b>"],
  ["rm a\nrm b\r\nrm c", "remove-item <a>", "remove-item <b>", "remove-item <c>"],
  ["& 'Remove-Item' x", "remove-item <x>"],
  ["&rm x", "remove-item <x>"],
  [". 'rm' x", "remove-item <x>"],
  ["& ('Rem' + 'ove-Item') x", "remove-item <x>"],
  ["& { rm x }", "remove-item <x>"],
  ["& $cmd x", "? <x>"],
  ["& (gcm Remove-I*) x", "gcm <Remove-I*>", "? <x>"],
  ["& 'C:\\Program Files\\Git\\git.exe' push -f", "git <push> <-f>"],
  [".\\script.ps1 -Force", "script.ps1 <-Force>"],
  ["Set-Alias zap Remove-Item; zap x", "set-alias <zap> <Remove-Item>", "remove-item <x>"],
  ["$h = @{ Path = 'x'; Recurse = $true }; Remove-Item @h", "remove-item -path=x -recurse"],
  ["Remove-Item @h", "?remove-item <$h>"],
  ["iex 'rm x'", "invoke-expression <rm x>", "remove-item <x>"],
  ["'rm x' | iex", "invoke-expression", "remove-item <x>"],
  ['iex "rm $x"', "?invoke-expression <rm $x>", "?remove-item <$x>"],
  ["iex ('r' + 'm x')", "invoke-expression <rm x>", "remove-item <x>"],
  ["iex (-join [char[]](114, 109, 32, 120))", "invoke-expression <rm x>", "remove-item <x>"],
  ["iex ([char]114 + [char]0x6d + ' x')", "invoke-expression <rm x>", "remove-item <x>"],
  ["iex ('{1}{0}' -f 'm x', 'r')", "invoke-expression <rm x>", "remove-item <x>"],
  ["iex (('x mr'[3..0]) -join '')", "invoke-expression <rm x>", "remove-item <x>"],
  ["iex ('r', 'm x' -join '')", "invoke-expression <rm x>", "remove-item <x>"],
  ["iex 'rZm x'.Replace('Z', '')", "invoke-expression <rm x>", "remove-item <x>"],
  ["iex ('rZm x' -replace 'Z', '')", "invoke-expression <rm x>", "remove-item <x>"],
  [
    `iex ([Text.Encoding]::Unicode.GetString([Convert]::FromBase64String('${base64("rm x")}')))`,
    "invoke-expression <rm x>",
    "remove-item <x>",
  ],
  ["& ([scriptblock]::Create('rm x'))", "remove-item <x>"],
  ["& ([scriptblock]::Create($x))", "?invoke-expression <$x>"],
  ["[scriptblock]::Create('rm x').Invoke()", "remove-item <x>"],
  ["iex (iwr https://a.b)", "invoke-webrequest <https://a.b>", "?invoke-expression <$(iwr https://a.b)>"],
  ["iwr https://a.b | iex", "invoke-webrequest <https://a.b>", "?invoke-expression"],
  ['powershell -Command "rm x"', "powershell -command=rm x", "remove-item <x>"],
  [
    "powershell.exe -NoProfile -ep Bypass -c rm x -Force",
    "powershell -command=rm x -Force -executionpolicy=Bypass -noprofile",
    "remove-item <x> -force",
  ],
  ["pwsh 'rm x'", "pwsh <rm x>", "remove-item <x>"],
  [`powershell -enc ${base64("rm x")}`, `powershell -encodedcommand=${base64("rm x")}`, "remove-item <x>"],
  [`pwsh -e ${base64("rm x")}`, `pwsh -encodedcommand=${base64("rm x")}`, "remove-item <x>"],
  ["powershell -File x.ps1", "powershell -file=x.ps1"],
  ['cmd /c "del x & rd /s /q y"', "cmd </c> <del x & rd /s /q y>", "del <x>", "rd <y> -q -s"],
  ['cmd /c "del $x"', "?cmd </c> <del $x>", "?del <$env:unknown>"],
  [
    "Start-Process cmd -ArgumentList '/c', 'del x'",
    "start-process <cmd> -argumentlist=/c,del x",
    "cmd </c> <del> <x>",
    "del <x>",
  ],
  [
    "Invoke-Command -ScriptBlock { rm x } -cn host",
    "remove-item <x>",
    "invoke-command -computername=host -scriptblock=$({ rm x })",
  ],
  ["Start-Job { rm x }", "remove-item <x>", "start-job"],
  ["[IO.File]::Delete('x')", "[io.file]::delete <x>"],
  ['[System.IO.Directory]::Delete("x", $true)', "[io.directory]::delete <x> <True>"],
  ["(Get-Item x).Delete()", "get-item <x>", "remove-item <x>"],
  [
    "(New-Object Net.WebClient).DownloadFile('http://a.b', 'x')",
    "new-object <Net.WebClient>",
    "invoke-webrequest <http://a.b> -outfile=x",
  ],
  ["git push --force origin main", "git <push> <--force> <origin> <main>"],
  ['curl.exe --% -d "x" https://a.b', "invoke-webrequest <-d> <x> <https://a.b>"],
  ["'x' > a.txt", "out-file -filepath=a.txt -value=x"],
  ["ls >> a.txt 2>$null", "get-childitem", "out-file -append -filepath=a.txt"],
  ["ls 2>&1 > $null", "get-childitem"],
  ["kill -Name x -Force", "stop-process -force -name=x"],

  ["Write-Host 'rm x'", "write-host <rm x>"],
  ['echo "rm x"', "write-output <rm x>"],
  ["# rm x"],
  ["ls # rm x", "get-childitem"],
  ["<# rm x\nrm y #> ls", "get-childitem"],
  ["$s = 'rm x'"],
  ["$s = @'\nrm x\n'@"],
  ['$s = @"\nrm x\n"@; ls', "get-childitem"],
  ["Write-Output x#y", "write-output <x#y>"],
  ["$x = 1 + 2; $x.ToString()"],
  [""],
  [";;\n;"],
];

const cmd: readonly Case[] = [
  ["del x", "del <x>"],
  ["DEL /F /S /Q C:\\x\\*.log", "del <C:\\x\\*.log> -f -q -s"],
  ["erase x", "del <x>"],
  ['rd /s /q "C:\\Program Files\\x"', "rd <C:\\Program Files\\x> -q -s"],
  ["rmdir/s/q x", "rd <x> -q -s"],
  ["rd/S/Q x", "rd <x> -q -s"],
  ["del/f x", "del <x> -f"],
  ["del /a:h x", "del <x> -a=h"],
  ["del a & del b && del c || del d", "del <a>", "del <b>", "del <c>", "del <d>"],
  ['dir | find "x"', "dir", "find <x>"],
  ["d^e^l x", "del <x>"],
  ["del a^&b", "del <a&b>"],
  ['"del" x', "del <x>"],
  ["@del x", "del <x>"],
  ["(del a & (del b))", "del <a>", "del <b>"],
  ["if exist x (rd /s /q x) else (del y)", "rd <x> -q -s", "del <y>"],
  ["if exist x del x", "del <x>"],
  ['if not "%A%"=="b" del x', "del <x>"],
  ["if a == b del x", "del <x>"],
  ["if /i %x% equ 3 del x", "del <x>"],
  ["if errorlevel 1 del x", "del <x>"],
  ["if defined A del x", "del <x>"],
  ["for %i in (a b) do del %i", "del <a> <b>"],
  ['for %%i in (*.log) do @del "%%i"', "del <*.log>"],
  ["for /r C:\\t %i in (*.tmp) do del %i", "del <C:\\t\\*.tmp>"],
  ['for /f "tokens=*" %i in (\'dir /b ^| find "x"\') do del %i', "dir -b", "find <x>", "?del <$env:i>"],
  ["for /l %i in (1,1,5) do (del a\ndel b)", "del <a>", "del <b>"],
  ['start "title" /wait del x', "del <x>"],
  ["start /b cmd /c del x", "cmd <del> <x> -c", "del <x>"],
  ["call del x", "del <x>"],
  ["start https://a.b", "start <https://a.b>"],
  ['cmd /c "del x & del y"', "cmd <del x & del y> -c", "del <x>", "del <y>"],
  ["cmd.exe /s /c del x", "cmd <del> <x> -c -s", "del <x>"],
  ["%COMSPEC% /c del x", "cmd <del> <x> -c", "del <x>"],
  ["cmd /c del %X%", "?cmd <del> <$env:x> -c", "?del <$env:x>"],
  [
    "powershell -Command \"rm $env:X; rm 'a b'\"",
    "powershell -command=rm $env:X; rm 'a b'",
    "?remove-item <$env:x>",
    "remove-item <a b>",
  ],
  [`powershell -e ${base64("rm x")}`, `powershell -encodedcommand=${base64("rm x")}`, "remove-item <x>"],
  ["set P=C:\\t\ndel %P%\\x", "del <C:\\t\\x>"],
  ["del %X%", "?del <$env:x>"],
  ["del !X!", "?del <$env:x>"],
  ["del %X:~0,1%", "?del <$env:x>"],
  ["%X% y", "? <y>"],
  ["del %USERPROFILE%\\x %CD%\\y", "del <~\\x> <.\\y>"],
  ["echo hi > a.txt 2>nul", "echo <hi>", "out-file -filepath=a.txt"],
  ["type a >> b 2>&1", "type <a>", "out-file -append -filepath=b"],
  ["format C: /q", "format <C:> -q"],
  ["reg delete HKLM\\x /f", "reg <delete> <HKLM\\x> -f"],
  ["shutdown /s /t 0", "shutdown <0> -s -t"],
  [
    'forfiles /c "cmd /c del @path"',
    "forfiles <cmd /c del @path> -c",
    "?cmd <del> <$env:file> -c",
    "?del <$env:file>",
  ],
  ['"C:\\Windows\\System32\\cmd.exe" /c del x', "cmd <del> <x> -c", "del <x>"],
  ["rem del x"],
  [":: del x\n:label"],
  ["echo del x", "echo <del> <x>"],
  ['echo "a & del x"', "echo <a & del x>"],
  [""],
];

describe("the commands of a PowerShell script", () => {
  test.each(powershell.map(([script, ...commands]) => [script, commands] as const))(
    "%s",
    (script, commands) => {
      expect(unfoldPowerShell(script).map(shown)).toEqual([...commands]);
    },
  );
});

describe("the commands of a text for cmd.exe", () => {
  test.each(cmd.map(([script, ...commands]) => [script, commands] as const))("%s", (script, commands) => {
    expect(unfoldCmd(script).map(shown)).toEqual([...commands]);
  });
});

test("a command is told as it was written", () => {
  expect(unfoldPowerShell("ls; rm  -r 'x' # why")[1]?.text).toBe("rm  -r 'x'");
  expect(unfoldCmd("dir & rd/s  x & dir")[1]?.text).toBe("rd/s  x");
});

test("no case is there twice", () => {
  for (const cases of [powershell, cmd])
    expect(new Set(cases.map(([script]) => script)).size).toBe(cases.length);
});

const gone = (path?: string, more: object = {}): Effect => ({
  do: "delete",
  ...(path !== undefined && { path }),
  ...more,
});
const wrote = (path?: string, more: object = {}): Effect => ({
  do: "write",
  ...(path !== undefined && { path }),
  ...more,
});
const saw = (path: string): Effect => ({ do: "read", path });
const got = (url?: string, more: object = {}): Effect => ({
  do: "fetch",
  ...(url !== undefined && { url }),
  ...more,
});

describe("what the commands do to files and the network", () => {
  const cases: readonly (readonly ["ps" | "cmd", string, ...Effect[]])[] = [
    [
      "ps",
      "rm -Recurse -Force a, b",
      gone("a", { recursive: true, force: true }),
      gone("b", { recursive: true, force: true }),
    ],
    ["ps", "rm -Path a", gone("a")],
    ["ps", "rm a -WhatIf"],
    ["ps", "rm $x", gone()],
    ["ps", "rm HKLM:\\Software\\x; rm Env:\\X; rm Variable:x"],
    ["ps", "gci C:\\t -r | rm", gone("C:\\t\\*", { recursive: true })],
    ["ps", "[IO.Directory]::Delete('x', $true)", gone("x", { recursive: true })],
    ["ps", "Set-Content -Path a -Value 'b'", wrote("a", { text: "b" })],
    ["ps", "sc a b", wrote("a", { text: "b" })],
    ["ps", "ac a $b", wrote("a", { append: true })],
    ["ps", "'x' | Out-File a -Append", wrote("a", { text: "x", append: true })],
    ["ps", '"x" > a', wrote("a", { text: "x" })],
    ["ps", "echo x > a", wrote("a", { text: "x" })],
    ["ps", "ls >> $x", wrote(undefined, { append: true })],
    ["ps", "clc a", wrote("a", { text: "" })],
    ["ps", "ni a", wrote("a")],
    ["ps", "ni -Path C:\\t -Name a -Value b", wrote("C:\\t\\a", { text: "b" })],
    ["ps", "mkdir a", wrote("a")],
    ["ps", "[IO.File]::WriteAllText('a', 'b')", wrote("a", { text: "b" })],
    ["ps", "cp a b -Recurse", saw("a"), wrote("b")],
    ["ps", "Copy-Item -Path a, b -Destination c", saw("a"), saw("b"), wrote("c")],
    ["ps", "mv a b", gone("a"), wrote("b")],
    ["ps", "ren C:\\t\\a b", gone("C:\\t\\a"), wrote("C:\\t\\b")],
    ["ps", "gc .env", saw(".env")],
    ["ps", "Expand-Archive a.zip -DestinationPath b", saw("a.zip"), wrote("b")],
    ["ps", "iwr https://a.b -OutFile c", got("https://a.b"), wrote("c")],
    ["ps", "irm -Uri https://a.b -Method Post -Body $x", got("https://a.b", { sends: true })],
    ["ps", "iwr $x", got()],
    ["ps", "iwr https://a.b -Method PUT -InFile c", saw("c"), got("https://a.b", { sends: true })],
    ["ps", "iex $x", { do: "exec" }],
    ["ps", "& $x", { do: "exec" }],
    ["ps", "Start-Process notepad a", { do: "exec", command: "notepad a" }],
    ["ps", "Get-Process; git status"],
    [
      "cmd",
      "del /s /q a b",
      gone("a", { recursive: true, force: true }),
      gone("b", { recursive: true, force: true }),
    ],
    ["cmd", "rd a", gone("a")],
    ["cmd", "rd /s %X%", gone(undefined, { recursive: true })],
    ["cmd", "copy a b", saw("a"), wrote("b")],
    ["cmd", "move a b", gone("a"), wrote("b")],
    ["cmd", "ren a b", gone("a"), wrote("b")],
    ["cmd", "md a", wrote("a")],
    ["cmd", "type a > b", saw("a"), wrote("b")],
    ["cmd", "robocopy a b /mir", saw("a"), wrote("b"), gone("b", { recursive: true })],
    ["cmd", "certutil -urlcache -f http://a.b c", got("http://a.b"), wrote("c")],
    ["cmd", "echo del a"],
  ];
  test.each(cases.map(([shell, script, ...effects]) => [shell, script, effects] as const))(
    "%s: %s",
    (shell, script, effects) => {
      const commands = shell === "ps" ? unfoldPowerShell(script) : unfoldCmd(script);
      expect(commands.flatMap(effectsOfPowerShell)).toEqual([...effects]);
    },
  );
});

describe("limits", () => {
  const marker = { name: "", args: [], flags: {}, known: false, text: "" };

  test("a script too long to read may do anything", () => {
    expect(unfoldPowerShell(" ".repeat(256 * 1024 + 1))).toEqual([marker]);
    expect(unfoldCmd(" ".repeat(256 * 1024 + 1))).toEqual([marker]);
    expect(effectsOfPowerShell(marker)).toEqual([{ do: "exec" }]);
  });

  test("scripts in scripts are followed to a limit and then may do anything", () => {
    const wrapped = (times: number): string => {
      let script = "rm x";
      for (let depth = 0; depth < times; depth++) script = `powershell -enc ${base64(script)}`;
      return script;
    };
    expect(unfoldPowerShell(wrapped(3)).map(shown)).toContain("remove-item <x>");
    expect(unfoldPowerShell(wrapped(5)).at(-1)).toEqual(marker);
  });

  test("brackets in brackets are followed to a limit and then may do anything", () => {
    expect(unfoldPowerShell(`${"(".repeat(50)}rm x${")".repeat(50)}`).map(shown)).toEqual([
      "remove-item <x>",
    ]);
    expect(unfoldPowerShell(`${"(".repeat(5000)}rm x`)).toContainEqual(marker);
    expect(unfoldCmd(`${"(".repeat(5000)}del x`)).toContainEqual(marker);
  });

  test("texts that grow without end are given up", () => {
    const script = `$x = 'ab'\n${"$x = $x + $x\n".repeat(60)}rm $x`;
    expect(unfoldPowerShell(script).at(-1)?.name).toBe("remove-item");
    expect(unfoldPowerShell(script).at(-1)?.known).toBe(false);
  });
});

describe("properties", () => {
  const pieces = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 10 }),
    fc.constantFrom(
      ..."( ) { } [ ] @( @{ $( @\" @' ' \" ` , ; | & && || > >> 2>&1 -r -Path : :: . .. + -f -join % %% %i% ! ^ # <# #> = $x $_ rm iex powershell cmd /c for if in do foreach".split(
        " ",
      ),
      " ",
      "\n",
    ),
  );
  const scripts = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(""));

  test("never throws on any text", () => {
    fc.assert(
      fc.property(scripts, (script) => {
        for (const command of [...unfoldPowerShell(script), ...unfoldCmd(script)])
          expect(Array.isArray(effectsOfPowerShell(command))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test("never throws on any beginning of a script", () => {
    for (const [script] of [...powershell, ...cmd])
      for (let end = 0; end < script.length; end++) {
        unfoldPowerShell(script.slice(0, end));
        unfoldCmd(script.slice(0, end));
      }
  });

  const words = fc.stringMatching(/^[a-z ]{0,12}$/);

  test("a command in a string or a comment does nothing", () => {
    fc.assert(
      fc.property(words, words, (before, after) => {
        const inner = `${before};rm -r x;${after}`;
        expect(unfoldPowerShell(`# ${inner}`)).toEqual([]);
        expect(unfoldPowerShell(`<# ${inner} #>`)).toEqual([]);
        expect(unfoldPowerShell(`$s = '${inner}'; $t = "${inner}"`)).toEqual([]);
        expect(unfoldCmd(`rem ${before} & del x ${after}`)).toEqual([]);
        expect(unfoldCmd(`echo "${before} & del x & ${after}"`).map(({ name }) => name)).toEqual(["echo"]);
      }),
    );
  });

  test("a command outside of them is always seen", () => {
    fc.assert(
      fc.property(words, words, (before, after) => {
        const script = `# ${before}\n$s = '${after}'; rm -r x # ${before}`;
        expect(unfoldPowerShell(script).map(shown)).toEqual(["remove-item <x> -recurse"]);
        expect(unfoldCmd(`rem ${before}\ndel x`).map(shown)).toEqual(["del <x>"]);
      }),
    );
  });

  test("time grows with the length and not faster", () => {
    const seeds = [
      ..."( { [ @( @{ $( ' \" ` , ; | & -r . :: % %a %a: ! ^ # <# $x $x. 'a', 'a'+ a( [a] [a]:: a> if( >a".split(
        " ",
      ),
      "rm $x;",
      "$x=$x+$x;",
      "$x='ab',$x;",
      "iex 'rm x';",
      "foreach($a in $b){",
      "for %i in (a) do ",
      "if exist x ",
      "cmd /c ",
      "powershell -c ",
      "ls|rm|",
      '"$(',
      '@"\n',
      "set A=%A%%A%\n",
      "'{0}'-f",
    ];
    const work = (script: string): void => {
      unfoldPowerShell(script);
      unfoldCmd(script);
    };
    for (const seed of seeds) {
      expect({ seed, slow: growsTooFast(work, repeated(seed), 16) }).toEqual({ seed, slow: false });
    }
  }, 60_000);
});
