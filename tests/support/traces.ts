import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import pg from 'pg'

/** Opens the database as its owner, whom row-level security hides nothing from. */
export async function readAsOwner<Row extends pg.QueryResultRow>(ownerUrl: string, query: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    return (await client.query<Row>(query, values)).rows
  } finally {
    await client.end()
  }
}

/** Each column that holds one of the texts, as `table.column: text`: of every table that the catalogue knows, whatever the column's type. */
export async function findInDatabase(ownerUrl: string, texts: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
    )
    const found = new Set<string>()
    for (const { name } of tables) {
      const { rows } = await client.query<{ column: string; text: string }>(
        `select distinct field.key as column, sought.text from ${name} row cross join lateral jsonb_each_text(to_jsonb(row)) field
         join unnest($1::text[]) sought(text) on position(lower(sought.text) in lower(field.value)) > 0
           or position(encode(convert_to(sought.text, 'UTF8'), 'hex') in field.value) > 0`,
        [texts],
      )
      for (const { column, text } of rows) found.add(`${name.replace(/^public\./, '')}.${column}: ${text}`)
    }
    return [...found].toSorted()
  } finally {
    await client.end()
  }
}

/** Each file below a folder that holds one of the texts, or has it in its name, as `path: text`. */
export function findInFiles(folder: string, texts: readonly string[]): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    const bytes = readFileSync(path)
    return texts.filter((text) => bytes.includes(text) || path.includes(text)).map((text) => `${relative(folder, path)}: ${text}`)
  })
}
