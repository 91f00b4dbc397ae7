import { useTranslation } from 'react-i18next'
import { Icon } from '#app/ui/icon.tsx'
import { Text } from '#app/ui/text.tsx'
import { type BlockProps, BlockSection } from '../../block-parts.tsx'

export default function Contact({ block }: BlockProps<'contact'>) {
  const { t } = useTranslation('participant')
  const { email, phone, place, text } = block
  return (
    <BlockSection id={block.id} title={block.title} fallback={t('site.contact')} wash>
      {text.text && (
        <p className="lead">
          <Text words={text} />
        </p>
      )}
      <ul className="contact-ways">
        {email && (
          <li>
            <Icon name="mail" />
            <a href={`mailto:${email}`}>{email}</a>
          </li>
        )}
        {phone && (
          <li>
            <Icon name="phone" />
            <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>
          </li>
        )}
        {place.text && (
          <li>
            <Icon name="pin" />
            <Text words={place} />
          </li>
        )}
      </ul>
    </BlockSection>
  )
}
