/** What follows a command's name. Apart from the commands, which use it in their own sentences. */
const ARGUMENTS: Record<string, string> = {
  start: '[--only web | jobs]',
  'create-site': '--host <name> --name <words> --region <words> --languages en,fr-CA,cy --time-zone <Area/City>',
  mails: '<email address>',
  backup: '[file]',
  restore: '<file> [--replace]',
  site: 'export <site> <file> --key-file <file> | import <file> --key-file <file> | moved <site> --to <address> | reopen <site> | directory',
  'budget-verify': '<file.pb> [--rule <rule>]',
  verify: '<ledger.jsonl> [<file.pb> …] [<proof.txt> …]',
  'reset-second-step': '<email address>',
  example: 'systemd | nginx | caddy | container | compose',
}

/** A command as one types it, such as `mails <email address>`. */
export const formatUsage = (name: string): string => [name, ...(ARGUMENTS[name] ? [ARGUMENTS[name]] : [])].join(' ')
