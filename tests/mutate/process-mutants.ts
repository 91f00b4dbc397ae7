import type { Mutant } from './mutant.ts'

/** Facts about a reader that a page for many must not show by itself, each taken out of the list of those that are guarded. */
export const GUARDED_FIELD_MUTANTS: readonly Mutant[] = [
  { name: 'id', field: 'id' },
  { name: 'session', field: 'sessionId' },
  { name: 'email', field: 'email' },
  { name: 'name', field: 'login' },
  { name: 'language', field: 'locale' },
  { name: 'confirmed email', field: 'confirmed' },
  { name: 'last visit', field: 'lastSeenAt' },
  { name: 'last proof of identity', field: 'confirmedAt' },
  { name: 'password sign-in', field: 'passwordAt' },
  { name: 'second step', field: 'hasSecondStep' },
].map(({ name, field }) => ({
  name: `a page shared by many shows one reader's ${name}`,
  file: 'app/server/shared-rendering.ts',
  from: `  '${field}',\n`,
  to: '',
  tests: ['app/serve/reader-pages.test.ts'],
}))

/** What one connection carries over to whoever uses it next, and when memory is refused. */
export const PROCESS_MUTANTS: readonly Mutant[] = [
  {
    name: 'a page on which something depends on a role is shared',
    file: 'app/server/shared-rendering.ts',
    from: `(['roles'] as const)`,
    to: '[]',
    tests: ['app/serve/reader-pages.test.ts'],
  },
  {
    name: 'people with a role get a shared page from before what was just saved',
    file: 'app/serve/reader-pages.ts',
    from: 'if (mustBeCurrent && ',
    to: 'if (!mustBeCurrent && ',
    tests: ['app/serve/reader-pages.test.ts'],
  },
  {
    name: 'a connection keeps the plan of every statement that it ever repeated',
    file: 'app/server/db/statement-client.ts',
    from: `if (reason === 'evict')`,
    to: `if (reason === 'delete')`,
    tests: ['app/server/db/prepared-at-commit.test.ts'],
  },
  {
    name: 'statements get names on a connection that is shared with other processes',
    file: 'app/server/db/statement-client.ts',
    from: 'return rows[0]?.pid !== (client',
    to: 'return rows[0] === undefined && null === (client',
    tests: ['app/server/db/transaction-pool.test.ts'],
  },
  {
    name: 'a name stands for one statement in one process and for another elsewhere',
    file: 'app/server/db/statement-client.ts',
    from: `createHash('sha256').update(text).digest('base64url')`,
    to: `createHash('sha256').update(String(names.size)).digest('base64url')`,
    tests: ['app/server/db/transaction-pool.test.ts'],
  },
  {
    name: 'the site of a transaction stays on the connection',
    file: 'app/server/db/pool.ts',
    from: '; set local parley.site_id',
    to: '; set parley.site_id',
    tests: ['app/server/db/transaction-pool.test.ts'],
  },
  {
    name: 'the limits of a process stay on the connection',
    file: 'app/server/db/pool.ts',
    from: '; set local ${name}',
    to: '; set ${name}',
    tests: ['app/server/db/transaction-pool.test.ts'],
  },
  {
    name: 'a page of an older version is served after a change',
    file: 'app/server/memory/content-memory.ts',
    from: ' || !this.#changes.isCurrent(site, entry.names, entry.version)',
    to: '',
    tests: ['app/serve/page-store.test.ts'],
  },
  {
    name: 'memory is refused and taken again at the same mark',
    file: 'app/server/memory/memory-guard.ts',
    from: 'const TAKE_FROM = 0.85',
    to: 'const TAKE_FROM = REFUSE_FROM',
    tests: ['app/server/memory/memory-guard.test.ts'],
  },
]
