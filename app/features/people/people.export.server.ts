import { recordPersonalDownload } from '#app/features/audit/audit.server.ts'
import { requirePermissionSomewhere } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { isId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { createCsvResponse } from '#app/server/csv-file.ts'
import { createRefusedFileResponse } from '#app/server/refused-file.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import type { Participation } from '#app/features/accounts/participation.server.ts'
import type { PeopleQuery, Person } from '#app/features/accounts/accounts.schema.ts'
import { toPeopleFilter, readPeopleSearch } from '#app/features/accounts/people-search.schema.ts'
import { exportPerson, readParticipations } from './people.activity.server.ts'
import { type AnswerColumns, loadAnswerColumns } from '#app/features/profile/answers.server.ts'
import { loadGroupNames } from '#app/features/accounts/groups.server.ts'
import { listPeople } from '#app/features/accounts/people.list.server.ts'

const PEOPLE_PER_BATCH = 500
/** The most people that can be chosen one by one. */
const MOST_CHOSEN = 500
/** What a file can have of each person, by the column of the table that shows it. Id and name are in every file. */
const CSV_COLUMNS: readonly CsvColumn[] = [
  { head: 'id', read: ({ id }) => id },
  { head: 'login', read: ({ login }) => login },
  { head: 'email', column: 'email', read: ({ email }) => email },
  { head: 'role', column: 'role', read: ({ roleName }) => roleName },
  { head: 'status', column: 'status', read: ({ status }) => status },
  { head: 'language', column: 'language', read: ({ locale }) => locale },
  { head: 'news_by_mail', column: 'news', read: ({ marketingConsent }) => (marketingConsent ? 1 : null) },
  { head: 'joined', column: 'createdAt', read: ({ createdAt }) => createdAt.toISOString() },
  { head: 'last_seen', column: 'lastSeenAt', read: ({ lastSeenAt }) => lastSeenAt?.toISOString() ?? null },
  { head: 'groups', column: 'groups', read: ({ id }, { groups }) => groups.get(id)?.join('; ') ?? null },
  { head: 'projects', column: 'projects', read: ({ id }, { parts }) => parts.get(id)?.projects ?? 0 },
  {
    head: 'first_participation',
    column: 'firstParticipationAt',
    read: ({ id }, { parts }) => parts.get(id)?.firstAt.toISOString() ?? null,
  },
  { head: 'last_participation', column: 'lastParticipationAt', read: ({ id }, { parts }) => parts.get(id)?.lastAt.toISOString() ?? null },
]

/** What is only loaded for columns that are wanted, by the ids of people. */
interface MoreOfPeople {
  groups: ReadonlyMap<string, string[]>
  parts: ReadonlyMap<string, Participation>
}

interface CsvColumn {
  head: string
  column?: string
  read: (person: Person, more: MoreOfPeople) => string | number | null
}

/**
 * Exports the people the viewer manages as CSV, with the screen's filters and, if some were chosen there, its people and columns. The export is
 * audited.
 */
export function exportPeople({ context: { ctx }, request }: { context: RequestContext; request: Request }): Promise<Response> {
  return createCsvResponse(ctx, async () => {
    requirePermissionSomewhere(ctx, 'participants.export')
    const { searchParams } = new URL(request.url)
    const search = readPeopleSearch(Object.fromEntries(searchParams))
    const ids = searchParams.get('ids')?.split(',').filter(isId).slice(0, MOST_CHOSEN)
    const query = { ...toPeopleFilter(search), ids, sort: [{ by: 'createdAt', descending: false }] } as const
    const { total } = await listPeople(ctx, { ...query, offset: 0, limit: 1 })
    // The search term is left out: it may be a person's name.
    const { q, ...filters } = search
    const detail = { people: total, ...filters, ...(ids && { chosen: ids.length }), ...(q === undefined ? {} : { searched: true }) }
    await ctx.db.tx((tx) => recordPersonalDownload(ctx, tx, { action: 'users.export', detail }))
    const hidden = new Set(search.hide?.split(','))
    const columns = CSV_COLUMNS.filter(({ column }) => column === undefined || !hidden.has(column))
    const answers = await loadAnswerColumns(ctx, (key) => !hidden.has(`about.${key}`))
    return {
      filename: `people-${ctx.now().toISOString().slice(0, 10)}.csv`,
      heads: [...columns.map(({ head }) => head), ...answers.heads],
      rows: streamPeopleRows(ctx, query, { total, columns, answers }),
    }
  })
}

interface FileColumns {
  total: number
  columns: readonly CsvColumn[]
  answers: AnswerColumns
}

async function* streamPeopleRows(ctx: Ctx, query: Omit<PeopleQuery, 'offset' | 'limit'>, { total, columns, answers }: FileColumns) {
  const shows = (...names: string[]) => columns.some(({ column }) => column !== undefined && names.includes(column))
  for (let offset = 0; offset < total; offset += PEOPLE_PER_BATCH) {
    const { rows } = await listPeople(ctx, { ...query, offset, limit: PEOPLE_PER_BATCH })
    const ids = rows.map(({ id }) => id)
    const given = await answers.load(ids)
    const parts = shows('projects', 'firstParticipationAt', 'lastParticipationAt') ? await readParticipations(ctx, ids) : []
    const more: MoreOfPeople = {
      groups: shows('groups') ? await loadGroupNames(ctx, rows) : new Map(),
      parts: new Map(parts.map((part) => [part.userId, part])),
    }
    yield rows.map((person) => [
      ...columns.map(({ read }) => read(person, more)),
      ...(given.get(person.id) ?? answers.heads.map(() => null)),
    ])
  }
}

/** Everything about one person as a JSON file. */
export async function exportPersonFile({
  context: { ctx },
  params,
}: {
  context: RequestContext
  params: { id: string }
}): Promise<Response> {
  const headers = { 'cache-control': 'private, no-store' }
  try {
    if (!isId(params.id)) throw new AppError('not-found')
    const data = await exportPerson(ctx, params.id)
    return new Response(JSON.stringify(data, null, 2), {
      headers: { ...headers, 'content-type': 'application/json', 'content-disposition': `attachment; filename="${params.id}.json"` },
    })
  } catch (error) {
    return createRefusedFileResponse(ctx, error)
  }
}
