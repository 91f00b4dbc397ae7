import type pg from 'pg'
import { hashRolePassword } from '../connection-string.ts'
import { StartupFault } from '../startup-fault.ts'
import { APPEND_ONLY_TABLES, GLOBAL_TABLES, WORK_TABLES } from './tenancy.ts'

export interface RoleFacts {
  name: string
  superuser: boolean
  /** May create tables: an owner's connection rather than the application's. */
  mayBuild: boolean
}

export async function loadRoleFacts(client: pg.ClientBase): Promise<RoleFacts> {
  const { rows } = await client.query<RoleFacts>(
    `select rolname as name, rolsuper as superuser,
            rolsuper or has_schema_privilege(current_user, 'public', 'create') as "mayBuild"
     from pg_roles where rolname = current_user`,
  )
  const [facts] = rows
  if (!facts) throw new Error('The connected role was not found')
  return facts
}

/**
 * Refuses a role that row-level security does not restrict: a superuser, one with BYPASSRLS, an owner of something here, or a member
 * of such a role.
 * @throws {StartupFault}
 */
export async function requirePlainRole(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ me: string; through: string; why: string }>(
    `select current_user as me, r.rolname as through,
            case when r.rolsuper then 'is a superuser'
                 when r.rolbypassrls then 'may bypass row-level security'
                 else 'owns a part of the database' end as why
     from pg_roles r
     where pg_has_role(current_user, r.oid, 'MEMBER')
       and (r.rolsuper or r.rolbypassrls
            or exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
                       where c.relowner = r.oid and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_t')
            or exists (select from pg_namespace n where n.nspowner = r.oid and n.nspname !~ '^pg_t')
            or exists (select from pg_database d where d.datdba = r.oid and d.datname = current_database()))
     order by r.rolname = current_user desc limit 1`,
  )
  const [found] = rows
  if (!found) return
  const whose = found.through === found.me ? `it ${found.why}` : `it is a member of ${found.through}, which ${found.why}`
  throw new StartupFault(
    `Parley does not serve as the database role ${found.me}, because ${whose}: sites would not be fenced off from each other. Give it a plain role.`,
  )
}

/** True if the connected role may create `role`, or change it if it exists. */
export async function mayManageRole(client: pg.ClientBase, role: string): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `select rolsuper or (rolcreaterole and coalesce((
              select current_setting('server_version_num')::int < 160000 or pg_has_role(app.oid, 'MEMBER WITH ADMIN OPTION')
              from pg_roles app where app.rolname = $1), true)) as may
     from pg_roles where rolname = current_user`,
    [role],
  )
  return rows[0]?.may ?? false
}

/**
 * Refuses a role that would fail halfway through the migrations, before anything is changed.
 * @param needs `appRole` is undefined if that role stays as it is; `build` is false if the schema is up to date
 * @throws {StartupFault} with everything that the role may not do, and the SQL that makes the application's role in its place
 */
export async function requireRightsToMigrate(
  client: pg.ClientBase,
  { appRole, build }: { appRole: { name: string; password: string } | undefined; build: boolean },
): Promise<void> {
  const { rows } = await client.query<Record<'me' | 'database', string> & Record<'tables' | 'schemas' | 'owned', boolean>>(
    `select current_user as me, current_database() as database,
            has_schema_privilege('public', 'create') as tables,
            has_database_privilege(current_database(), 'create') as schemas,
            not exists (select from pg_tables where schemaname = 'public' and not pg_has_role(tableowner, 'USAGE')) as owned`,
  )
  const [may] = rows
  if (!may) throw new Error('The connected role was not found')
  const roleToMake = appRole && !(await mayManageRole(client, appRole.name)) ? appRole : undefined
  const missing = [
    ...(may.tables || !build ? [] : ['create tables in the schema public']),
    ...(may.schemas || !build ? [] : [`create schemas and extensions in the database ${may.database}`]),
    ...(may.owned || !build ? [] : ['change the tables that are there, which belong to somebody else']),
    ...(roleToMake ? [`create the role ${roleToMake.name} or change it (CREATEROLE)`] : []),
  ]
  if (!missing.length) return
  const sentence = `The user ${may.me} of DATABASE_URL may not ${missing.join('; nor ')}. Nothing was changed: give it these rights, or use the database's owner.`
  const way = roleToMake && ` Instead of CREATEROLE, an administrator of the server can run: ${await writeRoleSql(client, roleToMake)}`
  throw new StartupFault(sentence + (way ?? ''))
}

/** SQL for an administrator of the server to create the application's role. It does not disclose the password. */
async function writeRoleSql(client: pg.ClientBase, { name, password }: { name: string; password: string }): Promise<string> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [name])
  return `${rowCount ? 'alter' : 'create'} role ${client.escapeIdentifier(name)} login password ${client.escapeLiteral(hashRolePassword(password))};`
}

/** Creates the application's role or resets its password. The connected role needs CREATEROLE. */
export async function createOrUpdateRole(client: pg.ClientBase, role: string, password: string): Promise<void> {
  const [name, secret] = [client.escapeIdentifier(role), client.escapeLiteral(password)]
  const { rows } = await client.query<{ plain: boolean }>(
    'select not (rolsuper or rolbypassrls or rolcreatedb or rolcreaterole or rolreplication) as plain from pg_roles where rolname = $1',
    [role],
  )
  const [found] = rows
  if (!found) await client.query(`create role ${name} login password ${secret}`)
  else if (found.plain) await client.query(`alter role ${name} login password ${secret}`)
  else await client.query(`alter role ${name} login nosuperuser nobypassrls nocreatedb nocreaterole noreplication password ${secret}`)
}

/** The condition of `own_site` as every PostgreSQL that Parley supports prints it. */
const OWN_SITE = "(site_id = (NULLIF(current_setting('parley.site_id'::text, true), ''::text))::uuid)"
const READ_AND_ADD = ['INSERT', 'SELECT']
const READ_AND_WRITE = ['DELETE', 'INSERT', 'SELECT', 'UPDATE']

interface TableAccess {
  table: string
  /** Row-level security is on, also for the owner. */
  isForced: boolean
  /** The policy `own_site` is there, and is what it has to be. */
  hasOwnSite: boolean
  /** There is a policy `find_work`. */
  hasFindWork: boolean
  /** It is what it has to be. */
  mayFindWork: boolean
  /** What was granted to the role, in alphabetical order. */
  privileges: string[]
}

/**
 * Grants the role what the application needs and enables row-level security on every tenant table. Tables that already have the right grants and
 * policies are not touched, because changing a policy takes an exclusive lock while processes of the previous version still use the table.
 */
export async function secureTables(client: pg.ClientBase, role: string): Promise<void> {
  const name = client.escapeIdentifier(role)
  await client.query(`grant usage on schema public to ${name}`)
  for (const access of await loadTableAccess(client, role)) {
    const { table } = access
    const quoted = client.escapeIdentifier(table)
    const wanted = table === 'parley_migrations' ? ['SELECT'] : APPEND_ONLY_TABLES.includes(table) ? READ_AND_ADD : READ_AND_WRITE
    if (wanted.join() !== access.privileges.join()) {
      await client.query(`revoke all on ${quoted} from ${name}`)
      await client.query(`grant ${wanted.join(', ')} on ${quoted} to ${name}`)
    }
    if (!(GLOBAL_TABLES as readonly string[]).includes(table)) await fenceTable(client, quoted, access)
  }
}

async function fenceTable(client: pg.ClientBase, quoted: string, { table, ...access }: TableAccess): Promise<void> {
  if (!access.isForced) await client.query(`alter table ${quoted} enable row level security, force row level security`)
  if (!access.hasOwnSite) {
    await client.query(`drop policy if exists own_site on ${quoted}`)
    await client.query(`create policy own_site on ${quoted} using (site_id = nullif(current_setting('parley.site_id', true), '')::uuid)`)
  }
  const looksForWork = WORK_TABLES.includes(table)
  if (access.hasFindWork && !(looksForWork && access.mayFindWork)) await client.query(`drop policy find_work on ${quoted}`)
  if (looksForWork && !access.mayFindWork)
    await client.query(`create policy find_work on ${quoted} for select to current_user using (true)`)
}

async function loadTableAccess(client: pg.ClientBase, role: string): Promise<TableAccess[]> {
  const { rows } = await client.query<TableAccess>(
    `select c.relname as table, c.relrowsecurity and c.relforcerowsecurity as "isForced",
            coalesce(bool_or(p.policyname = 'own_site' and p.cmd = 'ALL' and p.roles = '{public}' and p.permissive = 'PERMISSIVE'
                             and p.qual = $2 and p.with_check is null), false) as "hasOwnSite",
            coalesce(bool_or(p.policyname = 'find_work'), false) as "hasFindWork",
            coalesce(bool_or(p.policyname = 'find_work' and p.cmd = 'SELECT' and p.roles = array[current_user::name]
                             and p.permissive = 'PERMISSIVE' and p.qual = 'true'), false) as "mayFindWork",
            array(select a.privilege_type from aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
                  where r.rolname = $1 order by 1) as privileges
     from pg_class c left join pg_policies p on p.schemaname = 'public' and p.tablename = c.relname
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
     group by c.oid, c.relname, c.relrowsecurity, c.relforcerowsecurity, c.relacl`,
    [role, OWN_SITE],
  )
  return rows
}
