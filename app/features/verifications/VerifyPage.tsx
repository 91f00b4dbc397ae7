import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useViewer } from '#app/shell/page-state.tsx'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import { CodeForm, ListForm, PhoneForm, PostcodeForm, TextedCodeForm } from './VerifyForms.tsx'
import { METHOD_TEXTS, type OwnVerification, type VerifyView } from './verifications.schema.ts'

interface VerifyPageProps extends VerifyView {
  form: FormState | null
  /** From the link in a letter. */
  code: string | undefined
  /** The id of the text that was just sent. */
  text: string | undefined
}

/** Where people show that they may take part, and see what they have shown. Works without JavaScript. */
export function VerifyPage({ next, activity, lists, own, form, code, text, ...view }: VerifyPageProps) {
  const { t } = useTranslation('verifications')
  const { t: account } = useTranslation('account')
  // A person who follows the link in a letter wants to use it, whatever they have shown before.
  const isDone = !code && (activity ? activity.isAllowed : own.length > 0)
  const stateOf = (name: string) => (form?.form === name ? form : null)
  const { canUseCodes, canUseTexts, canUsePostcodes, providers } = view
  const hasForms = canUseCodes || canUseTexts || canUsePostcodes || lists.length > 0
  const ways = [canUseCodes, canUseTexts, canUsePostcodes].filter(Boolean).length + lists.length + providers.length
  return (
    <div className="page wrap-narrow stack verify-page">
      <PageTitle
        title={account('verify.title')}
        eyebrow={activity ? <Text words={activity.title} /> : undefined}
        lead={isDone ? undefined : t('lead')}
      />
      {isDone && (
        <Notice kind="success" title={t('done')}>
          {next && (
            <p>
              <a href={next} className={getButtonClass()}>
                {t('go-on')}
              </a>
            </p>
          )}
        </Notice>
      )}
      {own.length > 0 && <OwnVerifications own={own} />}
      {!isDone && (
        <>
          {ways > 1 && <p>{t('one-is-enough')}</p>}
          {canUseTexts && text && <TextedCodeForm form={stateOf('texted-code')} text={text} next={next} />}
          {(canUseCodes || code) && <CodeForm form={stateOf('code')} code={code} />}
          {lists.map((list) => (
            <ListForm key={list.id} list={list} form={stateOf(list.id)} />
          ))}
          {canUseTexts && !text && <PhoneForm form={stateOf('text')} />}
          {canUsePostcodes && <PostcodeForm form={stateOf('postcode')} />}
          {hasForms && <p className="form-promise">{t('promise')}</p>}
          {providers.length > 0 && <Providers providers={providers} next={next} />}
          <InPerson next={next} hasOthers={hasForms || providers.length > 0} />
        </>
      )}
      {!isDone && next && (
        <p>
          <a href={next.replace(/\/new$/, '')}>{t('back')}</a>
        </p>
      )}
    </div>
  )
}

const buildVerifyPath = (next: string) => toLocalHref(next ? `/verify?${new URLSearchParams({ next })}` : '/verify')

/** Signing in with an account elsewhere, or linking it to the account here. */
function Providers({ providers, next }: Pick<VerifyView, 'providers' | 'next'>) {
  const { t } = useTranslation('verifications')
  const query = new URLSearchParams({ next: next || buildVerifyPath('') })
  if (useViewer()) query.set('for', 'link')
  return (
    <section className="stack" aria-labelledby="providers">
      <h2 id="providers">{t('provider.title')}</h2>
      <p>{t('provider.text')}</p>
      {providers.map(({ id, name }) => (
        <p key={id}>
          <a href={`${toLocalHref(`/sign-in/${id}`)}?${query}`} className={getButtonClass({ kind: 'secondary' })} rel="nofollow">
            {t('provider.with', { name })}
          </a>
        </p>
      ))}
    </section>
  )
}

function InPerson({ next, hasOthers }: { next: string; hasOthers: boolean }) {
  const { t } = useTranslation('verifications')
  const viewer = useViewer()
  return (
    <section className="stack" aria-labelledby="in-person">
      <h2 id="in-person">{t('in-person.title')}</h2>
      {!hasOthers && <p>{t('no-list')}</p>}
      <p>{t(viewer ? 'in-person.signed-in' : 'in-person.visitor')}</p>
      {!viewer && (
        <p>
          <Link to="/sign-in" search={{ next: buildVerifyPath(next) }}>
            {t('in-person.sign-in')}
          </Link>
        </p>
      )}
    </section>
  )
}

function OwnVerifications({ own }: { own: readonly OwnVerification[] }) {
  const { t } = useTranslation('verifications')
  const action = useFormAction()
  const format = useFormat()
  return (
    <section className="stack" aria-labelledby="own">
      <h2 id="own">{t('own.title')}</h2>
      <ul>
        {own.map(({ id, method, list, level, validUntil }) => (
          <li key={id}>
            {list ? <Text words={list} /> : t(`own.${METHOD_TEXTS[method]}`)} · {t(`levels.${level}`)} ·{' '}
            {t('own.until', { date: format.date(validUntil) })}
            <form method="post" action={action}>
              <input type="hidden" name="end" value={id} />
              <Button type="submit" kind="plain" size="small">
                {t('own.end')}
              </Button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  )
}
