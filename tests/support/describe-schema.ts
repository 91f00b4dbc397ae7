import type pg from 'pg'

/** Everything that makes a database's schema, one line for each part. The order of columns counts: a backup's rows depend on it. */
const PARTS: Readonly<Record<string, string>> = {
  column: `select table_name || '.' || column_name || ' ' || data_type || ' ' || udt_name || ' null ' || is_nullable || ' default ' || coalesce(column_default, '')
    || ' generated ' || coalesce(generation_expression, '') || ' collation ' || coalesce(collation_name, '')
    || ' at ' || row_number() over (partition by table_name order by ordinal_position)
    from information_schema.columns where table_schema = 'public'`,
  constraint: `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace`,
  index: `select indexdef from pg_indexes where schemaname = 'public'`,
  function: `select pg_get_functiondef(p.oid) || ' ' || coalesce(p.proacl::text, '') from pg_proc p where pronamespace = 'public'::regnamespace and prokind in ('f', 'p')
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  aggregate: `select a.aggfnoid::regprocedure || ' ' || a.aggtransfn || ' ' || a.aggfinalfn || ' ' || a.aggtranstype::regtype || ' ' || coalesce(a.agginitval, '')
    from pg_aggregate a join pg_proc p on p.oid = a.aggfnoid where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  trigger: `select pg_get_triggerdef(oid) || ' ' || tgenabled::text from pg_trigger where not tgisinternal`,
  policy: `select tablename || ' ' || policyname || ' ' || permissive || ' ' || roles::text || ' ' || cmd || ' ' || coalesce(qual, '') || ' ' || coalesce(with_check, '') from pg_policies where schemaname = 'public'`,
  view: `select viewname || ' ' || definition from pg_views where schemaname = 'public'`,
  sequence: `select sequencename || ' ' || data_type || ' ' || increment_by from pg_sequences where schemaname = 'public'`,
  type: `select t.typname || ' ' || coalesce((select string_agg(enumlabel, ',' order by enumsortorder) from pg_enum e where e.enumtypid = t.oid), '')
    from pg_type t where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')`,
  collation: `select (to_jsonb(c) - '{oid,collnamespace,collowner,collversion}'::text[])::text from pg_collation c where collnamespace = 'public'::regnamespace`,
  statistics: `select pg_get_statisticsobjdef(oid) from pg_statistic_ext`,
  extension: `select extname from pg_extension`,
  comment: `select pg_describe_object(classoid, objoid, objsubid) || ' ' || description from pg_description where classoid = 'pg_class'::regclass
    and exists (select from pg_class c where c.oid = objoid and c.relnamespace = 'public'::regnamespace)`,
  table: `select relname || ' ' || relkind::text || ' ' || relpersistence::text || ' ' || relrowsecurity || ' ' || relforcerowsecurity || ' ' || coalesce(reloptions::text, '') || ' '
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

/** Every row there is, without what differs between two installations: what migrations wrote, if nothing else has. */
export async function describeRows(client: pg.ClientBase): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> 'parley_migrations' order by 1`,
  )
  const lines: string[] = []
  for (const { name } of tables) {
    // Only an upgrade lets former cookie names count.
    const unlike = "'{created_at, former_cookies_until}'::text[]"
    const { rows } = await client.query<{ line: string }>(`select (to_jsonb(t) - ${unlike})::text as line from ${name} t order by 1`)
    lines.push(...rows.map(({ line }) => `${name} ${line}`))
  }
  return lines
}
