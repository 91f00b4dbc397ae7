import { recordPersonalDownload } from '#app/features/audit/audit.server.ts'
import { requirePermissionSomewhere } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { isId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { createCsvResponse } from '#app/server/csv-file.ts'
import { createRefusedFileResponse } from '#app/server/refused-file.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import type { PeopleQuery, Person } from '#app/features/accounts/accounts.schema.ts'
import { toPeopleFilter, readPeopleSearch } from '#app/features/accounts/people-search.schema.ts'
import { exportPerson } from './people.activity.server.ts'
import { type AnswerColumns, loadAnswerColumns } from '#app/features/profile/answers.server.ts'
import { listPeople } from '#app/features/accounts/people.list.server.ts'

const PEOPLE_PER_BATCH = 500
const CSV_COLUMNS = ['id', 'login', 'email', 'role', 'status', 'language', 'news_by_mail', 'joined', 'last_seen']

/** Exports the people the viewer manages as CSV, with the screen's filters. The export is audited. */
export function exportPeople({ context: { ctx }, request }: { context: RequestContext; request: Request }): Promise<Response> {
  return createCsvResponse(ctx, async () => {
    requirePermissionSomewhere(ctx, 'participants.export')
    const search = readPeopleSearch(Object.fromEntries(new URL(request.url).searchParams))
    const query = { ...toPeopleFilter(search), sort: [{ by: 'createdAt', descending: false }] } as const
    const { total } = await listPeople(ctx, { ...query, offset: 0, limit: 1 })
    // The search term is left out: it may be a person's name.
    const { q, ...filters } = search
    const detail = { people: total, ...filters, ...(q === undefined ? {} : { searched: true }) }
    await ctx.db.tx((tx) => recordPersonalDownload(ctx, tx, { action: 'users.export', detail }))
    const answers = await loadAnswerColumns(ctx)
    return {
      filename: `people-${ctx.now().toISOString().slice(0, 10)}.csv`,
      heads: [...CSV_COLUMNS, ...answers.heads],
      rows: streamPeopleRows(ctx, query, total, answers),
    }
  })
}

async function* streamPeopleRows(ctx: Ctx, query: Omit<PeopleQuery, 'offset' | 'limit'>, total: number, answers: AnswerColumns) {
  for (let offset = 0; offset < total; offset += PEOPLE_PER_BATCH) {
    const { rows } = await listPeople(ctx, { ...query, offset, limit: PEOPLE_PER_BATCH })
    const given = await answers.load(rows.map(({ id }) => id))
    yield rows.map((person) => [...toCsvRow(person), ...(given.get(person.id) ?? answers.heads.map(() => null))])
  }
}

const toCsvRow = (person: Person) => [
  person.id,
  person.login,
  person.email,
  person.roleName,
  person.status,
  person.locale,
  person.marketingConsent ? 1 : null,
  person.createdAt.toISOString(),
  person.lastSeenAt?.toISOString() ?? null,
]

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
