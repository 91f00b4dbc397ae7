import { useTranslation } from 'react-i18next'
import { KeptForm, useForgetSent } from '#app/features/participation/keeping/KeptForm.tsx'
import type { FormState } from '#app/server/request-context.ts'
import { getReturnedId } from '#app/shell/returned-form.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import type { OwnContributionView } from '../record/contributions.schema.ts'
import { useContributionFaults } from '../parts/use-contribution-faults.ts'
import { PlainText } from '../parts/contribution-parts.tsx'
import { buildAddressAbout } from '../parts/writing-address.ts'
import { MergedNotice } from '../parts/MergedNotice.tsx'
import type { OwnMergeView } from '../record/merging.schema.ts'

/** For the author of a merged contribution: where it went, and a form to object. */
export function OwnMerge({ own, merge, form }: { own: OwnContributionView; merge: OwnMergeView; form: FormState | null }) {
  const { t } = useTranslation('contributions')
  const address = buildAddressAbout(own.activity, own.number, 'objection')
  useForgetSent(merge.objection ? address : undefined)
  return (
    <>
      <MergedNotice activity={own.activity} merged={merge} />
      {merge.objection && (
        <section aria-labelledby="objection-sent">
          <h2 id="objection-sent">{t(merge.objectionAnswer ? 'merging.objection-yours' : 'merging.objected')}</h2>
          <PlainText text={merge.objection} />
          {merge.objectionAnswer && (
            <>
              <h3>{t('merging.objection-answer')}</h3>
              <PlainText text={merge.objectionAnswer} />
            </>
          )}
        </section>
      )}
      {merge.objectUntil && <ObjectionForm address={address} until={merge.objectUntil} form={form} />}
    </>
  )
}

function ObjectionForm({ address, until, form }: { address: string; until: string; form: FormState | null }) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const action = useFormAction()
  const { errors, error, typed } = useContributionFaults(form, {}, 'object')
  return (
    <details className="former" open={errors.length > 0}>
      <summary>{t('merging.object')}</summary>
      <form id={getReturnedId(form?.form === 'object')} method="post" action={action} className="form" noValidate>
        <p>{t('merging.object-text', { date: format.dateTime(until) })}</p>
        <input type="hidden" name="form" value="object" />
        <TextArea
          name="objection"
          label={t('merging.objection')}
          rows={5}
          defaultValue={typed('objection')}
          error={error('objection')}
          required
        />
        <div className="form-actions">
          <Button type="submit">{t('merging.object-send')}</Button>
        </div>
        <KeptForm address={address} isReturned={form?.form === 'object'} />
      </form>
    </details>
  )
}
