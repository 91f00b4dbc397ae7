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
  /** Loaded on demand, so that no command waits for another's modules. */
  load: () => Promise<(call: CommandCall) => Promise<void>>
}

export const COMMANDS = {
  start: { summary: 'build if needed, start the database, and serve', load: async () => (await import('./start.ts')).startServer },
  dev: { summary: 'the same from the sources, with hot reload', load: async () => (await import('./dev.ts')).startDevServer },
  build: { summary: 'build what start serves, unless it is built', load: async () => (await import('./build.ts')).buildCommand },
  migrate: { summary: 'bring the database to this version', load: async () => (await import('./database.ts')).migrateCommand },
  seed: { summary: "add the demo's sites to the database", load: async () => (await import('./database.ts')).seedCommand },
  'create-site': { summary: 'make a site and its address', load: async () => (await import('./sites.ts')).createSiteCommand },
  'create-admin': {
    summary: 'print a link that makes a platform administrator',
    load: async () => (await import('./sites.ts')).createAdminCommand,
  },
  mails: {
    summary: 'print the mails that wait for an address, with their links',
    load: async () => (await import('./mails.ts')).mailsCommand,
  },
  recount: {
    summary: 'check the counts of every survey and contribution, and put right what is wrong',
    load: async () => (await import('./recount.ts')).recountAll,
  },
  backup: {
    summary: 'put everything into one file, also while it serves',
    load: async () => (await import('./backup/backup.ts')).createBackup,
  },
  restore: { summary: 'bring back what backup has put into a file', load: async () => (await import('./backup/restore.ts')).restoreBackup },
  'rotate-key': {
    summary: 'seal the credentials it keeps under another key',
    load: async () => (await import('./rotate-key.ts')).rotateKey,
  },
  'reset-second-step': {
    summary: 'turn off the two-step sign-in of somebody who lost it',
    load: async () => (await import('./reset-second-step.ts')).resetSecondStepCommand,
  },
  example: {
    summary: 'print a file to start from: systemd, nginx, caddy, container or compose',
    load: async () => (await import('./examples.ts')).printExample,
  },
  doctor: { summary: 'look at everything a start needs', load: async () => (await import('./doctor.ts')).runDoctor },
} satisfies Record<string, Command>
