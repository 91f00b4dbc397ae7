import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useViewer } from '#app/shell/page-state.tsx'
import { getButtonClass } from '#app/ui/button.tsx'
import { Text } from '#app/ui/text.tsx'
import type { BlockProps } from '../../block-parts.tsx'

/** Hidden from anyone signed in. */
export default function SignUp({ block }: BlockProps<'sign_up'>) {
  const { t } = useTranslation('participant')
  if (useViewer()) return null
  return (
    <section className="section" aria-labelledby={block.id}>
      <div className="wrap">
        <div className="band section-deep">
          <h2 id={block.id}>{block.title.text ? <Text words={block.title} /> : t('home.sign-up')}</h2>
          <p>{block.text.text ? <Text words={block.text} /> : t('home.sign-up-text')}</p>
          <div className="row">
            <a href={toLocalHref('/register')} className={getButtonClass({ kind: 'light' })}>
              {t('home.register')}
            </a>
            <a href={toLocalHref('/sign-in')} className={getButtonClass({ kind: 'outline-light' })}>
              {t('site.sign-in')}
            </a>
          </div>
        </div>
      </div>
    </section>
  )
}
