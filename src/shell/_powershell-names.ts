const aliasText = `
remove-item rm ri del erase rd rmdir
invoke-expression iex
invoke-webrequest iwr wget curl
invoke-restmethod irm
copy-item cp copy cpi
move-item mv move mi
rename-item ren rni
set-content sc
add-content ac
clear-content clc
get-content gc cat type
new-item ni md mkdir
set-item si
clear-item cli
set-itemproperty sp
remove-itemproperty rp
clear-itemproperty clp
get-childitem gci ls dir
get-item gi
resolve-path rvpa
stop-process spps kill
start-process saps start
get-process gps ps
stop-service spsv
start-job sajb
invoke-command icm
invoke-item ii
foreach-object % foreach
where-object ? where
select-object select
sort-object sort
set-location sl cd chdir
push-location pushd
pop-location popd
get-location gl pwd
write-output echo write
tee-object tee
export-csv epcsv
import-csv ipcsv
import-module ipmo
set-alias sal
new-alias nal
set-variable sv set
new-object
invoke-wmimethod iwmi
remove-wmiobject rwmi
`;

const lines = (text: string): string[][] =>
  text
    .trim()
    .split("\n")
    .map((line) => line.split(" "));

let aliases: ReadonlyMap<string, string> | undefined;

/** The full name of a cmdlet or program: in small letters, without folder, module and extension. */
export function canonicalName(name: string, own: ReadonlyMap<string, string>): string {
  const base = name
    .trim()
    .toLowerCase()
    .replace(/^.*[\\/]/s, "")
    .replace(/\.(?:exe|cmd|bat|com)$/, "");
  aliases ??= new Map(
    lines(aliasText).flatMap(([full = "", ...short]) => short.map((each) => [each, full] as const)),
  );
  const meant = own.get(base) ?? base;
  return aliases.get(meant) ?? meant;
}

// Behind the bar the parameters that are switches; the others take a value.
const parameterText = `
remove-item path literalpath filter include exclude credential stream | recurse force whatif confirm
get-childitem path literalpath filter include exclude depth attributes | recurse force name directory file hidden
copy-item path literalpath destination filter include exclude tosession | recurse force container passthru whatif confirm
move-item path literalpath destination filter include exclude | force passthru whatif confirm
rename-item path literalpath newname | force passthru whatif confirm
set-content path literalpath value filter include exclude encoding stream | force nonewline passthru whatif
add-content path literalpath value filter include exclude encoding stream | force nonewline passthru whatif
clear-content path literalpath filter include exclude stream | force whatif
get-content path literalpath totalcount tail readcount delimiter encoding stream | raw wait force
out-file filepath literalpath encoding width inputobject | append force noclobber nonewline whatif
tee-object filepath literalpath variable inputobject encoding | append
new-item path name itemtype value target | force whatif
export-csv path literalpath delimiter encoding inputobject | append noclobber force notypeinformation
expand-archive path literalpath destinationpath | force passthru
compress-archive path literalpath destinationpath compressionlevel | force update
invoke-webrequest uri method body headers outfile infile form contenttype useragent proxy timeoutsec websession sessionvariable credential token | usebasicparsing passthru skipcertificatecheck
invoke-restmethod uri method body headers outfile infile form contenttype useragent proxy timeoutsec websession sessionvariable credential token | usebasicparsing skipcertificatecheck
start-bitstransfer source destination displayname priority | asynchronous
invoke-expression command |
invoke-command scriptblock computername session argumentlist filepath credential | asjob
start-process filepath argumentlist workingdirectory verb windowstyle credential | wait nonewwindow passthru
start-job scriptblock filepath name argumentlist initializationscript |
get-process name id inputobject computername | includeusername module fileversioninfo
stop-process id name inputobject | force passthru whatif confirm
stop-computer computername | force whatif confirm
restart-computer computername | force wait whatif confirm
set-location path literalpath stackname | passthru
foreach-object process begin end membername inputobject |
where-object filterscript property value | eq ne like match
join-path path childpath additionalchildpath | resolve
set-executionpolicy executionpolicy scope | force
format-volume driveletter filesystem newfilesystemlabel partition | full force confirm
powershell command encodedcommand file executionpolicy windowstyle version inputformat outputformat configurationname workingdirectory | noprofile nologo noninteractive noexit sta mta login
`;

interface Parameters {
  readonly values: readonly string[];
  readonly switches: readonly string[];
}

let table: ReadonlyMap<string, Parameters> | undefined;

const parameterTable = (): ReadonlyMap<string, Parameters> =>
  new Map(
    lines(parameterText).map(([name = "", ...rest]) => {
      const bar = rest.indexOf("|");
      return [name, { values: rest.slice(0, bar), switches: rest.slice(bar + 1) }] as const;
    }),
  );

const common: Parameters = {
  values: [
    "erroraction",
    "warningaction",
    "informationaction",
    "errorvariable",
    "outvariable",
    "outbuffer",
    "computername",
  ],
  switches: [
    "verbose",
    "debug",
    "force",
    "recurse",
    "whatif",
    "confirm",
    "append",
    "wait",
    "passthru",
    "asjob",
    "raw",
  ],
};

const otherNames: Readonly<Record<string, string>> = {
  ea: "erroraction",
  wa: "warningaction",
  lp: "literalpath",
  pspath: "literalpath",
  type: "itemtype",
  ec: "encodedcommand",
  ep: "executionpolicy",
  cn: "computername",
  args: "argumentlist",
};

/** A parameter by its beginning: `-rec` of `Remove-Item` is `recurse`, a switch. */
export function parameterOf(
  command: string,
  written: string,
): { name: string; isSwitch: boolean | undefined } {
  table ??= parameterTable();
  const short = written.toLowerCase();
  const own = table.get(command === "pwsh" ? "powershell" : command);
  const full = otherNames[short] ?? short;
  for (const { values, switches } of own ? [own, common] : [common]) {
    if (values.includes(full)) return { name: full, isSwitch: false };
    // Where PowerShell would ask what is meant, the switch is: people write `rm -r -f`.
    const isSwitch = switches.find((each) => each.startsWith(short));
    if (isSwitch !== undefined) return { name: isSwitch, isSwitch: true };
    const name = values.find((each) => each.startsWith(short));
    if (name !== undefined) return { name, isSwitch: false };
  }
  return { name: full, isSwitch: undefined };
}

/** Does the name belong to PowerShell, so that words with a dash are its parameters? */
export const isCmdlet = (name: string): boolean =>
  /^[a-z]+-[a-z]\w*$/.test(name) || name === "powershell" || name === "pwsh";
