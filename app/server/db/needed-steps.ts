/**
 * A migration that takes away what earlier versions use says which version it leaves behind, in a line such as `-- needs: 1054-due-jobs.sql`:
 * only versions that have that step go on serving. It is recorded in `parley_migrations`, because an earlier version has no other way to know.
 */
const NEEDS_LINE = /^-- needs: (?<step>[\w-]+)\.sql$/m
const RECORDED = /^needs (?<step>[\w-]+)$/

/** What `parley_migrations` records of a migration that needs a step; undefined if it needs none. @param statements of the migration */
export function readNeed(statements: string): string | undefined {
  const step = NEEDS_LINE.exec(statements)?.groups?.['step']
  return step && `needs ${step}`
}

/** A step that the database needs a version to have, and that is not among `known`; undefined if there is none. @param recorded names in `parley_migrations` */
export function findMissingNeed(recorded: Iterable<string>, known: ReadonlySet<string>): string | undefined {
  for (const name of recorded) {
    const step = RECORDED.exec(name)?.groups?.['step']
    if (step && !known.has(`${step}.sql`)) return `${step}.sql`
  }
  return undefined
}
