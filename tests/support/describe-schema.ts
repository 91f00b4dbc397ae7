import type pg from 'pg'

/** Everything that makes a database's schema, one line for each part, without what only differs by the order in which it came. */
const PARTS: Readonly<Record<string, string>> = {
  column: `select table_name || '.' || column_name || ' ' || data_type || ' ' || udt_name || ' null ' || is_nullable || ' default ' || coalesce(column_default, '')
    || ' generated ' || coalesce(generation_expression, '') || ' collation ' || coalesce(collation_name, '')
    from information_schema.columns where table_schema = 'public'`,
  constraint: `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace`,
  index: `select indexdef from pg_indexes where schemaname = 'public'`,
  function: `select pg_get_functiondef(p.oid) from pg_proc p where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  trigger: `select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal`,
  policy: `select tablename || ' ' || policyname || ' ' || cmd || ' ' || coalesce(qual, '') || ' ' || coalesce(with_check, '') from pg_policies where schemaname = 'public'`,
  view: `select viewname || ' ' || definition from pg_views where schemaname = 'public'`,
  sequence: `select sequencename || ' ' || data_type || ' ' || increment_by from pg_sequences where schemaname = 'public'`,
  type: `select t.typname || ' ' || coalesce((select string_agg(enumlabel, ',' order by enumsortorder) from pg_enum e where e.enumtypid = t.oid), '')
    from pg_type t where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')`,
  collation: `select collname || ' ' || collprovider::text || ' ' || collisdeterministic::text from pg_collation where collnamespace = 'public'::regnamespace`,
  statistics: `select pg_get_statisticsobjdef(oid) from pg_statistic_ext`,
  extension: `select extname from pg_extension`,
  table: `select relname || ' ' || relkind::text || ' ' || relrowsecurity || ' ' || relforcerowsecurity || ' ' || coalesce(reloptions::text, '') || ' '
    || coalesce((select string_agg(acl::text, ',' order by acl::text) from unnest(relacl) acl), '')
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')`,
}

export async function describeSchema(client: pg.ClientBase): Promise<string[]> {
  const lines: string[] = []
  for (const [part, query] of Object.entries(PARTS)) {
    const { rows } = await client.query<{ line: string }>(`select line from (${query}) as part (line) order by line`)
    lines.push(...rows.map(({ line }) => `${part} ${line}`))
  }
  return lines
}
