import { type SQL, sql } from 'drizzle-orm'
import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { loadEveryVersion } from '../questionnaire/versions.server.ts'

const TEXT_TYPES = ['short_text', 'long_text']

/**
 * Earlier answers to a question that is text now but had another type before, as SQL over `responses`: options by their labels at the time,
 * in the response's language. Undefined if the question was always text.
 */
export async function findFormerAnswersSql(ctx: Ctx, tx: Tx, surveyId: string, question: string): Promise<SQL | undefined> {
  const { rows } = await tx.execute<{ type: string }>(sql`
    select jsonb_path_query_first(definition, '$.pages[*].questions[*] ? (@.id == $id).type', jsonb_build_object('id', ${question}::text)) #>> '{}' as type
    from survey_versions where site_id = ${ctx.site.id} and survey_id = ${surveyId} order by number desc`)
  const [now, ...before] = rows.flatMap(({ type }) => type ?? [])
  if (!now || !TEXT_TYPES.includes(now) || before.every((type) => TEXT_TYPES.includes(type))) return undefined
  const { everything } = await loadEveryVersion(tx, ctx.site.id, surveyId)
  const kept = everything.pages.flatMap((page) => page.questions).find(({ id }) => id === question)
  const labels = Object.fromEntries(
    ctx.site.languages.map((language) => {
      const t = getTranslator(language, 'survey')
      const own = kept?.formerOptions?.map(({ id, label }) => [id, getTranslation(label, language, ctx.site.locale)] as const) ?? []
      return [
        language,
        {
          yes: t(before.includes('consent') ? 'choice.agreed' : 'choice.yes'),
          no: t('choice.no'),
          ...Object.fromEntries(own.filter(([, label]) => label)),
        },
      ]
    }),
  )
  const answer = sql`(${responses.answers} -> ${question})`
  const labelSql = (id: SQL) => sql`coalesce(${JSON.stringify(labels)}::jsonb -> ${responses.language} ->> ${id}, ${id})`
  const chosenLabelsSql = (ids: SQL, between: string) =>
    sql`(select string_agg(${labelSql(sql`chosen.id`)}, ${between} order by place) from jsonb_array_elements_text(${ids}) with ordinality chosen(id, place))`
  return sql`case jsonb_typeof(${answer}) when 'object' then concat_ws('; ',
    ${labelSql(sql`(${answer} ->> 'choice')`)},
    ${chosenLabelsSql(sql`${answer} -> 'choices'`, '; ')},
    (select string_agg(${labelSql(sql`of_row.id`)} || ': ' || ${chosenLabelsSql(sql`of_row.ids`, ', ')}, '; ') from jsonb_each(${answer} -> 'rows') of_row(id, ids)),
    (select string_agg(${labelSql(sql`ranked.id`)}, '; ' order by ranked.rank::numeric) from jsonb_each_text(${answer} -> 'ranks') ranked(id, rank)),
    (select string_agg(${labelSql(sql`given.id`)} || ': ' || given.amount, '; ') from jsonb_each_text(${answer} -> 'amounts') given(id, amount)),
    (select string_agg(part.words, ', ') from jsonb_each_text(coalesce(${answer} -> 'address', ${answer} -> 'place')) part(name, words)),
    (select string_agg(file ->> 'name', '; ') from jsonb_array_elements(${answer} -> 'files') file),
    ${answer} ->> 'other')
    else ${answer} #>> '{}' end`
}
