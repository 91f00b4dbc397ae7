import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { KeptForm, useForgetSent } from '#app/features/participation/keeping/KeptForm.tsx'
import { useReceiptMailError } from '#app/features/participation/ReceiptMail.tsx'
import type { FormState } from '#app/server/request-context.ts'
import { getReturnedId } from '#app/shell/returned-form.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { CheckboxGroup } from '#app/ui/choice-group.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import type { PersonalDataWarning } from '../record/personal-data.schema.ts'
import { PersonalDataNotice } from '../parts/PersonalDataNotice.tsx'
import { FieldInputs } from '../fields/FieldInputs.tsx'
import { OwnMerge } from '../merging/ObjectionForm.tsx'
import { PlaceFields } from '../places/PlaceWriting.tsx'
import { ActivityBreadcrumbs } from '../parts/contribution-parts.tsx'
import { OfficialAnswer } from './OfficialAnswer.tsx'
import { type ActivityView, MAX_REPLY_LENGTH, type OwnContributionView } from '../record/contributions.schema.ts'
import { useContributionFaults } from '../parts/use-contribution-faults.ts'
import { useWriteLabels } from '../parts/use-write-labels.ts'
import { buildAddressAbout, buildWritingAddress } from '../parts/writing-address.ts'
import { NextSteps, ReceiptCard, ReceiptLinks, Told } from './OwnReceipt.tsx'
import { useCharacterCount } from './WritePage.tsx'

interface OwnContributionPageProps {
  activity: ActivityView
  own: OwnContributionView | null
  /** Where receipt codes are looked up. */
  address: string
  /** The receipt was emailed just now. */
  sent: boolean
  /** What the activity's ledger has of it. */
  proof: ReactNode
  /** What people can do next. */
  onward: ReactNode
  /** For what is added: sending it twice stores it once. */
  addition: string
  personal: PersonalDataWarning | null
  form: FormState | null
}

/** An author's contribution: its receipt, what happens next, and changing it. */
export function OwnContributionPage({ activity, own, address, sent, proof, onward, addition, personal, form }: OwnContributionPageProps) {
  const { t } = useTranslation('contributions')
  const errors = useOwnErrors(activity, form)
  useForgetSent(own ? buildWritingAddress(activity) : undefined, own?.id)
  const title = own ? t(`kinds.${activity.kind}.sent`) : t('receipt.find')
  return (
    <div className="page wrap-narrow">
      <ActivityBreadcrumbs activity={activity} current={title} />
      <PageTitle title={title} />
      <ErrorSummary title={t('problem')} errors={errors} />
      {own ? (
        <>
          <ReceiptCard own={own} address={address} sent={sent} form={form} />
          <NextSteps own={own} />
          <Told own={own} />
          {proof}
          <ReceiptLinks own={own} />
          {own.answers.map((answer) => (
            <OfficialAnswer key={answer.at} answer={answer} level={2} />
          ))}
          {own.merge && <OwnMerge own={own} merge={own.merge} form={form} />}
          {own.mayEdit && <EditForm own={own} personal={personal} form={form} />}
          {own.mayAdd && <AdditionForm own={own} addition={addition} personal={personal} form={form} />}
          {own.mayWithdraw && <WithdrawForm own={own} />}
          {onward}
        </>
      ) : (
        <FindForm form={form} />
      )}
    </div>
  )
}

/** The summary above all forms of the page. What is added is checked as a text, whose field the form for changes has. */
function useOwnErrors(activity: ActivityView, form: FormState | null) {
  const { t } = useTranslation('contributions')
  const added = t(`kinds.${activity.kind}.add-more`)
  const isAdding = form?.form === 'add'
  const { errors } = useContributionFaults(form, {
    ...useWriteLabels(activity),
    addition: added,
    objection: t('merging.objection'),
    ...(isAdding && { body: added }),
  })
  const mailError = useReceiptMailError(form)
  if (mailError) return [{ id: 'email', message: mailError }]
  return errors.map((error) => (isAdding && error.id === 'body' ? { ...error, id: 'addition' } : error))
}

function EditForm({ own, personal, form }: Pick<OwnContributionPageProps, 'personal' | 'form'> & { own: OwnContributionView }) {
  const { t } = useTranslation('contributions')
  const action = useFormAction()
  const { kind, tools, categories, maxBody } = own.activity
  const count = useCharacterCount(maxBody)
  const { error, typed, chosen } = useContributionFaults(form, {}, 'edit', kind)
  const warning = form?.form === 'edit' ? personal : null
  return (
    <details className="former" open={form?.form === 'edit'}>
      <summary>{t(`kinds.${kind}.edit`)}</summary>
      <form id={getReturnedId(form?.form === 'edit')} method="post" action={action} className="form" noValidate>
        <p>{t(`kinds.${kind}.edit-text`)}</p>
        {warning && <PersonalDataNotice warning={warning} isHeld={own.activity.moderation === 'before'} />}
        {/* The Enter key saves: it presses the first button. */}
        <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />
        <input type="hidden" name="form" value="edit" />
        {tools.titles && (
          <TextField
            name="title"
            label={t(`kinds.${kind}.title`)}
            defaultValue={typed('title') ?? own.title}
            error={error('title')}
            required
          />
        )}
        <TextArea
          name="body"
          label={t(`kinds.${kind}.body`)}
          rows={8}
          defaultValue={typed('body') ?? own.body}
          error={error('body')}
          count={count}
          {...(tools.question ? { optional: t('write.optional') } : { required: true })}
        />
        {categories.length > 0 && (
          <CheckboxGroup
            name="categories"
            label={t('write.categories')}
            hint={t('write.categories-hint')}
            optional={t('write.optional')}
            options={categories}
            look="plain"
            defaultValue={chosen('categories') ?? own.categories}
            error={error('categories')}
          />
        )}
        {own.placeEditing && (
          <PlaceFields
            activity={own.activity}
            place={own.placeEditing}
            typed={(field) => typed(field) ?? (field === 'placeText' ? own.placeText : undefined)}
            error={error}
          />
        )}
        <FieldInputs
          fields={own.activity.fields}
          typed={(name) => (form?.form === 'edit' ? typed(name) : [own.fieldValues[name] ?? []].flat()[0])}
          chosen={(name) => chosen(name) ?? [own.fieldValues[name] ?? []].flat()}
          error={error}
        />
        <div className="form-actions">
          <Button type="submit">{t(warning ? `personal.${own.activity.moderation}` : 'write.save')}</Button>
        </div>
        <KeptForm address={buildAddressAbout(own.activity, own.number, 'edit')} isReturned={form?.form === 'edit'} arrivedAt="#edited" />
      </form>
    </details>
  )
}

function AdditionForm({
  own,
  addition,
  personal,
  form,
}: Pick<OwnContributionPageProps, 'addition' | 'personal' | 'form'> & { own: OwnContributionView }) {
  const { t } = useTranslation('contributions')
  const action = useFormAction()
  const count = useCharacterCount(MAX_REPLY_LENGTH)
  const { errors, error, typed } = useContributionFaults(form, {}, 'add')
  const warning = form?.form === 'add' ? personal : null
  const { kind } = own.activity
  return (
    <details className="former" open={errors.length > 0 || warning !== null}>
      <summary>{t(`kinds.${kind}.add-more`)}</summary>
      <form id={getReturnedId(form?.form === 'add')} method="post" action={action} className="form" noValidate>
        <p>{t(`kinds.${kind}.add-more-text`)}</p>
        {warning && <PersonalDataNotice warning={warning} isHeld={own.activity.moderation === 'before'} />}
        <input type="hidden" name="form" value="add" />
        <input type="hidden" name="id" value={addition} />
        <TextArea
          name="addition"
          label={t(`kinds.${kind}.add-more`)}
          rows={5}
          defaultValue={typed('addition')}
          error={error('addition') ?? error('body')}
          count={count}
          required
        />
        <div className="form-actions">
          <Button type="submit">{t(warning ? `personal.${own.activity.moderation}` : 'write.add')}</Button>
        </div>
        <KeptForm address={buildAddressAbout(own.activity, own.number, 'addition')} isReturned={form?.form === 'add'} arrivedAt="#added" />
      </form>
    </details>
  )
}

function WithdrawForm({ own }: { own: OwnContributionView }) {
  const { t } = useTranslation('contributions')
  const action = useFormAction()
  const { kind } = own.activity
  return (
    <details className="former">
      <summary>{t(`kinds.${kind}.withdraw`)}</summary>
      <form method="post" action={action}>
        <p>{t(`kinds.${kind}.withdraw-text`)}</p>
        <input type="hidden" name="form" value="withdraw" />
        <Button type="submit" kind="danger">
          {t(`kinds.${kind}.withdraw`)}
        </Button>
      </form>
    </details>
  )
}

function FindForm({ form }: { form: FormState | null }) {
  const { t } = useTranslation('contributions')
  const { t: general } = useTranslation('receipt')
  const action = useFormAction()
  const { error, typed } = useContributionFaults(form, {}, 'find')
  return (
    <form id={getReturnedId(form?.form === 'find')} method="post" action={action} className="form" noValidate>
      <p>{t('receipt.find-text')}</p>
      <input type="hidden" name="form" value="find" />
      <TextField
        name="code"
        label={general('code')}
        defaultValue={typed('code')}
        error={error('code')}
        autoComplete="off"
        spellCheck={false}
        width={20}
        required
      />
      <div className="form-actions">
        <Button type="submit">{t('receipt.find-button')}</Button>
      </div>
    </form>
  )
}
