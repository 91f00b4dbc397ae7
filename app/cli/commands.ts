import type { Env } from '../server/env.ts'

export interface CommandCall {
  env: Env
  /** The arguments after the command's name. */
  words: string[]
  /** Prints a line for the person at the terminal. */
  say: (line: string) => void
}

export interface Command {
  summary: string
  /** What `--help` prints below the summary. */
  help: string
  /** Loaded on demand, so that no command waits for another's modules. */
  load: () => Promise<(call: CommandCall) => Promise<void>>
}

export const COMMANDS = {
  start: {
    summary: 'build if needed, start the database, and serve',
    help: `It starts its own PostgreSQL in DATA_DIR, or uses the one of DATABASE_URL, brings it to this version, and prints the addresses.
On this machine alone it fills an empty database with the demo, unless NO_DEMO is set. Ctrl-C or SIGTERM stops it.
  --only web    serve the sites and leave the jobs (mails, counts, imports) to other processes with the same DATABASE_URL
  --only jobs   run the jobs and serve no sites; /healthz and /readyz are answered on PORT`,
    load: async () => (await import('./start.ts')).startServer,
  },
  dev: {
    summary: 'the same from the sources, with hot reload',
    help: 'It uses the same database as start. Not for real use: it serves unbuilt code, and more slowly.',
    load: async () => (await import('./dev.ts')).startDevServer,
  },
  build: {
    summary: 'build what start serves, unless it is built',
    help: 'It writes the folder dist. It needs the packages for development: run npm ci without --omit=dev.',
    load: async () => (await import('./build.ts')).buildCommand,
  },
  migrate: {
    summary: 'bring the database to this version',
    help: `Start does the same. With the DATABASE_URL of the database's owner, it also sets the password of the role that Parley serves as, and
prints the DATABASE_URL of that role, so that start needs no more rights than the role has.`,
    load: async () => (await import('./database.ts')).migrateCommand,
  },
  seed: {
    summary: "add the demo's sites to the database",
    help: 'It adds those that are missing, also to a database that holds other sites. It changes nothing of these.',
    load: async () => (await import('./database.ts')).seedCommand,
  },
  'create-site': {
    summary: 'make a site and its address',
    help: `  --host        the name people type, such as consult.example.org
  --name        what the site is called
  --region      the place it is for, such as a city or county
  --languages   en, fr-CA, cy, or several with commas between, the main one first; en if left out
  --time-zone   such as Europe/London; UTC if left out`,
    load: async () => (await import('./sites.ts')).createSiteCommand,
  },
  'create-admin': {
    summary: 'print a link that makes a platform administrator',
    help: 'The link works once, within a day. Links printed before stop working.',
    load: async () => (await import('./sites.ts')).createAdminCommand,
  },
  mails: {
    summary: 'print the mails that wait for an address, with their links',
    help: 'The outbox under Admin hides secret links. This command shows them, to the person who runs the machine.',
    load: async () => (await import('./mails.ts')).mailsCommand,
  },
  recount: {
    summary: 'check the counts of every survey and contribution, and put right what is wrong',
    help: 'It names each count that is wrong, with the right one. It works while Parley serves.',
    load: async () => (await import('./recount.ts')).recountAll,
  },
  backup: {
    summary: 'put everything into one file, also while it serves',
    help: `Without a name, the file is named after the time, in the folder you are in. It holds the database, the files
people uploaded and the key of DATA_DIR, but neither a SECRET_KEY of yours nor files in an S3 bucket.`,
    load: async () => (await import('./backup/backup.ts')).createBackup,
  },
  restore: {
    summary: 'bring back what backup has put into a file',
    help: `It checks the whole file first. Stop Parley before, and start it afterwards.
  --replace   throw away what is in the database now; without it, the database must be empty`,
    load: async () => (await import('./backup/restore.ts')).restoreBackup,
  },
  site: {
    summary: 'move one site to another installation, or keep a copy of it',
    help: `  export <site> <file> --key-file <file>   write the site's rows and files into one file that only the key file opens. The site can be read
                   but takes no writes from then on, so that nothing is lost on the way. The key file is made if there is none
    --while-serving          a copy instead: the site goes on as before
    --with-installation-key  also this installation's signing key, for a site that has none of its own: only between installations of yours
  import <file> --key-file <file>          bring the site in, whole or not at all, also while Parley serves. The same file twice is once
    --host <name>            its only address here, instead of those it had
    --without-key            without its signing key: links in its mails stop working
  moved <site> --to <https://address>      send everybody who asks for it here to its new address
  reopen <site>                            it stays here after all: take writes again
  directory                                print which installation answers for which host, as JSON for a proxy
A site is named by its short name, such as riverbend, or by its address.`,
    load: async () => (await import('./site-move/site-command.ts')).siteCommand,
  },
  'rotate-key': {
    summary: 'seal the credentials it keeps under another key',
    help: `If the key is in DATA_DIR, stop Parley first: this command makes the new key. With a SECRET_KEY of yours, set the new one, put the
present one into FORMER_SECRET_KEYS, and restart before you call it.`,
    load: async () => (await import('./rotate-key.ts')).rotateKey,
  },
  'budget-verify': {
    summary: 'count a participatory budget again, from its published file',
    help: `It reads a .pb file, as results pages and the Pabulib library offer them, counts its ballots and compares the result with the one that
the file states. It needs no database. Its exit code is 1 if they differ.
  --rule   greedy, greedy-no-skip or equal-shares, instead of the rule that the file names`,
    load: async () => (await import('./budget-verify.ts')).verifyBudget,
  },
  verify: {
    summary: 'check a ledger of hashes again, from its published file',
    help: `It recomputes every entry and names each row that was changed, dropped or moved. With the .pb files of all pots of a certified
budget, it counts them too, and compares the result with the one that the ledger is closed with. With the file of a proof, which the
receipts of activities offer, it names its entry. It needs no database. Its exit code is 1 if anything is wrong.`,
    load: async () => (await import('./verify.ts')).verifyLedger,
  },
  'reset-second-step': {
    summary: 'turn off the two-step sign-in of somebody who lost it',
    help: 'They are signed out everywhere and get an email about it, and the audit log records it.',
    load: async () => (await import('./reset-second-step.ts')).resetSecondStepCommand,
  },
  example: {
    summary: 'print a file to start from: systemd, nginx, caddy, container, compose, kubernetes, haproxy, patroni or pgbouncer',
    help: 'Its first line says where to save it.',
    load: async () => (await import('./examples.ts')).printExample,
  },
  doctor: {
    summary: 'look at everything a start needs',
    help: 'It prints a line for each: settings, build, data directory, disk, port and database. Its exit code is 1 if it finds a fault.',
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
} satisfies Record<string, Command>
