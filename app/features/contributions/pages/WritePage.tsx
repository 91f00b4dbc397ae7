import { KeptForm } from '#app/features/participation/keeping/KeptForm.tsx'
import type { AccessRefusal } from '#app/features/participation/access.schema.ts'
import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { ENTERED_SOURCES } from '#app/lib/vocabulary/contributions.ts'
import { useSendWithBrowserToken } from '#app/shell/browser-token.ts'
import { getReturnedId } from '#app/shell/returned-form.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useReturnToReceipt } from '#app/shell/use-return-to-receipt.ts'
import { Button } from '#app/ui/button.tsx'
import { CheckboxGroup, RadioGroup } from '#app/ui/choice-group.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Select } from '#app/ui/select.tsx'
import { Text } from '#app/ui/text.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { ClosedActivity, ClosedWhileWriting, isLateForm } from '../parts/ClosedWhileWriting.tsx'
import { SimilarNotice } from '../parts/SimilarNotice.tsx'
import type { PersonalDataWarning } from '../record/personal-data.schema.ts'
import { PersonalDataNotice } from '../parts/PersonalDataNotice.tsx'
import { FieldInputs } from '../fields/FieldInputs.tsx'
import { CheckPlace, PlaceFields } from '../places/PlaceWriting.tsx'
import type { PlaceWritingView } from '../record/places.schema.ts'
import { PhotoFields } from '../photos/PhotoFields.tsx'
import type { KeptPhotoView } from '../record/photos.schema.ts'
import { ActivityBreadcrumbs, hasWayOut, RefusalText, RefusedWhileWriting } from '../parts/contribution-parts.tsx'
import type { ActivityView, SimilarView } from '../record/contributions.schema.ts'
import { useContributionFaults } from '../parts/use-contribution-faults.ts'
import { useWriteLabels } from '../parts/use-write-labels.ts'
import { ShownNameField, TrapField } from '../parts/sender-fields.tsx'
import { buildWritingAddress } from '../parts/writing-address.ts'

interface WritePageProps {
  activity: ActivityView
  refusal: AccessRefusal | null
  /** The account's name, to start from. */
  name: string
  sending: { id: string; sendKey: string }
  similar: readonly SimilarView[]
  personal: PersonalDataWarning | null
  /** Those that the form has brought already. */
  photos: readonly KeptPhotoView[]
  /** Null if the activity has no map. */
  place: PlaceWritingView | null
  /** Whether the viewer may enter what reached the team in another way. */
  canEnter: boolean
  /** The browser holds the receipt of a contribution to this activity. */
  isSent: boolean
  form: FormState | null
}

/** Writing a contribution on one page. */
export function WritePage({ activity, refusal, name, sending, similar, personal, photos, place, canEnter, isSent, form }: WritePageProps) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const { kind } = activity
  const address = `/projects/${activity.project.slug}/${activity.slug}`
  useReturnToReceipt(() => isSent && form === null && `${address}/receipt`)
  const isOpen = activity.state === 'open'
  const isRefused = refusal !== null && !canEnter
  const keepsTyped = form !== null && isRefused && hasWayOut(refusal)
  return (
    <div className="page wrap-narrow">
      <ActivityBreadcrumbs activity={activity} current={t(`kinds.${kind}.add`)} />
      <PageTitle title={t(`kinds.${kind}.add`)} eyebrow={<Text words={activity.title} />} />
      {keepsTyped && <RefusedWhileWriting refusal={refusal} next={`${address}/new`} />}
      {form && !canEnter && isLateForm(activity, form) ? (
        <ClosedWhileWriting activity={activity} sending={sending} form={form} address={buildWritingAddress(activity)} />
      ) : activity.state === 'closed' && !canEnter && form === null ? (
        <ClosedActivity activity={activity} sending={sending} address={buildWritingAddress(activity)} />
      ) : !isOpen && !canEnter && form === null ? (
        <Notice title={t('state.preview')}>
          {activity.state === 'scheduled'
            ? t('state.scheduled-text', { date: activity.opensAt ? format.dateTime(activity.opensAt) : '' })
            : t('state.preview-text')}
        </Notice>
      ) : isRefused && !keepsTyped ? (
        <RefusalText refusal={refusal} next={`${address}/new`} />
      ) : place?.isCheck && form ? (
        <CheckPlace activity={activity} place={place} form={form} similar={similar} personal={personal} photos={photos} />
      ) : (
        <WriteForm
          activity={activity}
          name={name}
          sending={sending}
          similar={similar}
          personal={personal}
          photos={photos}
          place={place}
          canEnter={canEnter}
          form={form}
        />
      )}
    </div>
  )
}

function WriteForm({
  activity,
  name,
  sending,
  similar,
  personal,
  photos,
  place,
  canEnter,
  form,
}: Omit<WritePageProps, 'refusal' | 'isSent'>) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const action = useFormAction()
  const { errors, error, typed, chosen } = useContributionFaults(form, useWriteLabels(activity), undefined, activity.kind)
  const { kind, tools, shownNames } = activity
  const asksName = shownNames.some((shown) => shown === 'name' || shown === 'first_name')
  return (
    <form
      id={getReturnedId(form !== null)}
      method="post"
      action={action}
      className="form"
      noValidate
      encType={tools.photos ? 'multipart/form-data' : undefined}
      onSubmit={useSendWithBrowserToken()}
    >
      {place && <button type="submit" name="place" value="check" className="visually-hidden" tabIndex={-1} aria-hidden="true" />}
      {/* The Enter key sends what was written: it presses the first button. */}
      {tools.question && <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />}
      <ErrorSummary title={t('problem')} errors={errors} />
      {personal && <PersonalDataNotice warning={personal} isHeld={activity.moderation === 'before'} />}
      {similar.length > 0 && <SimilarNotice activity={activity} similar={similar} />}
      <input type="hidden" name="id" value={sending.id} />
      <input type="hidden" name="sendKey" value={sending.sendKey} />
      {(similar.length > 0 || typed('similar')) && <input type="hidden" name="similar" value="seen" />}
      {canEnter && <EnteredSourceField isOpen={activity.state === 'open'} value={typed('source')} />}
      {tools.titles && (
        <TextField
          name="title"
          label={t(`kinds.${kind}.title`)}
          hint={t(`kinds.${kind}.title-hint`)}
          defaultValue={typed('title')}
          error={error('title')}
          required
        />
      )}
      <TextArea
        name="body"
        label={t(`kinds.${kind}.body`)}
        hint={t(`kinds.${kind}.body-hint`)}
        rows={8}
        defaultValue={typed('body')}
        error={error('body')}
        count={useCharacterCount(activity.maxBody)}
        {...(tools.question ? { optional: t('write.optional') } : { required: true })}
      />
      {activity.categories.length > 0 && (
        <CheckboxGroup
          name="categories"
          label={t('write.categories')}
          hint={t('write.categories-hint')}
          optional={t('write.optional')}
          options={activity.categories}
          look="plain"
          defaultValue={chosen('categories') ?? []}
          error={error('categories')}
        />
      )}
      {place && <PlaceFields activity={activity} place={place} typed={typed} error={error} />}
      {!place && activity.areas.length > 0 && (
        <Select
          name="areaId"
          label={t('write.area')}
          options={[{ value: '', label: t('write.no-area') }, ...activity.areas]}
          defaultValue={typed('areaId') ?? ''}
          error={error('areaId')}
        />
      )}
      {!place && !tools.question && (
        <TextField
          name="placeText"
          label={t('write.place')}
          hint={t('write.place-hint')}
          optional={t('write.optional')}
          defaultValue={typed('placeText')}
          error={error('placeText')}
        />
      )}
      <FieldInputs fields={activity.fields} typed={typed} chosen={chosen} error={error} />
      {tools.photos ? <PhotoFields count={tools.photos} kept={photos} typed={typed} error={error} /> : null}
      {shownNames.length === 1 ? (
        <input type="hidden" name="shownAs" value={shownNames[0]} />
      ) : (
        <RadioGroup
          name="shownAs"
          label={t('write.shown')}
          options={shownNames.map((value) => ({ value, label: t(`write.names.${value}`) }))}
          look="plain"
          defaultValue={typed('shownAs')}
          error={error('shownAs')}
          required
        />
      )}
      {asksName && (
        <ShownNameField
          label={t('write.shown-name')}
          hint={t('write.shown-name-hint')}
          value={typed('shownName') ?? name}
          error={error('shownName')}
        />
      )}
      <TrapField />
      <p className="form-promise">
        {t(`write.${activity.moderation}`, { number: activity.moderationDays })}
        {tools.question &&
          ` ${t('question.promise', { count: tools.question.workingDays, number: format.number(tools.question.workingDays) })}`}
      </p>
      <div className="form-actions">
        {place ? (
          <Button type="submit" name="place" value="check">
            {t('places.continue')}
          </Button>
        ) : (
          <Button type="submit">
            {personal ? t(`personal.${activity.moderation}`) : similar.length > 0 ? t('write.anyway') : t(`kinds.${kind}.send`)}
          </Button>
        )}
      </div>
      <KeptForm address={buildWritingAddress(activity)} isReturned={form !== null} />
    </form>
  )
}

/** For the team. After an activity closed, only what reached them in another way can be added. */
function EnteredSourceField({ isOpen, value }: { isOpen: boolean; value: string | undefined }) {
  const { t } = useTranslation('contributions')
  const options = [...(isOpen ? (['web'] as const) : []), ...ENTERED_SOURCES]
  return (
    <Select
      name="source"
      label={t('entry.source')}
      hint={t('entry.hint')}
      options={options.map((source) => ({ value: source, label: t(`entry.sources.${source}`) }))}
      defaultValue={value ?? options[0]}
    />
  )
}

/** For `TextArea`: the rule, and how much is left. */
export function useCharacterCount(max: number) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  return {
    max,
    rule: t('write.rule', { number: format.number(max) }),
    left: (left: number) =>
      left < 0
        ? t('write.over', { count: -left, number: format.number(-left) })
        : t('write.left', { count: left, number: format.number(left) }),
  }
}
