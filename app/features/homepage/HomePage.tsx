import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { localHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { buttonClass, type ButtonKind } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Hero } from '#app/ui/hero.tsx'
import { SectionHead } from '#app/ui/page.tsx'
import { Quote } from '#app/ui/quote.tsx'
import { RichText } from '#app/ui/RichText.tsx'
import { StatNumbers } from '#app/ui/stat-numbers.tsx'
import { Text } from '#app/ui/text.tsx'
import type { GridFilter, HomeBlockView } from './homepage.schema.ts'

interface HomePageProps<Card, Hub> {
  blocks: readonly HomeBlockView<Card, Hub>[]
  site: { name: string; tagline: { text: string; lang?: string } }
  renderProject: (project: Card, size: 'grid' | 'lead') => ReactNode
  renderHub: (hub: Hub) => ReactNode
}

/** The blocks of a homepage, published or not. */
export function HomePage<Card extends { id: string }, Hub extends { id: string }>({ blocks, ...rest }: HomePageProps<Card, Hub>) {
  return blocks.map((block, at) => {
    const next = blocks[at + 1]
    const before = blocks[at - 1]
    return (
      <Block
        key={block.id}
        block={block}
        {...rest}
        overlapped={block.type === 'hero' && next?.type === 'featured_project'}
        overlaps={block.type === 'featured_project' && before?.type === 'hero'}
      />
    )
  })
}

interface BlockProps<Card, Hub> extends Omit<HomePageProps<Card, Hub>, 'blocks'> {
  block: HomeBlockView<Card, Hub>
  overlapped: boolean
  overlaps: boolean
}

function Block<Card extends { id: string }, Hub extends { id: string }>({
  block,
  site,
  renderProject,
  renderHub,
  overlapped,
  overlaps,
}: BlockProps<Card, Hub>) {
  switch (block.type) {
    case 'hero':
      return <HeroBlock block={block} site={site} overlap={overlapped} />
    case 'featured_project':
      return <div className={overlaps ? 'wrap overlap' : 'wrap section'}>{renderProject(block.project, 'lead')}</div>
    case 'project_grid':
      return <ProjectGrid block={block} card={(project) => renderProject(project, 'grid')} />
    case 'hub_grid':
      return <HubGrid block={block} card={renderHub} />
    case 'voices':
      return <Voices block={block} />
    case 'counters':
      return <Counters block={block} />
    case 'rich_text':
      return (
        <section className="section">
          <div className="wrap">
            <RichText text={block.body.text} href={localHref} {...(block.body.lang ? { lang: block.body.lang } : {})} />
          </div>
        </section>
      )
  }
}

type BlockOf<Type, Card = never, Hub = never> = Extract<HomeBlockView<Card, Hub>, { type: Type }>

function HeroBlock({ block, site, overlap }: { block: BlockOf<'hero'>; site: HomePageProps<never, never>['site']; overlap: boolean }) {
  const { t } = useTranslation('participant')
  const hasOwnWords = block.title.text !== ''
  const action = (given: BlockOf<'hero'>['action'], kind: ButtonKind) =>
    given && (
      <a href={given.href.startsWith('/') ? localHref(given.href) : given.href} className={buttonClass({ kind })} lang={given.label.lang}>
        {given.label.text}
      </a>
    )
  const openProjects = (
    <Link to="/projects" search={{ status: 'open' }} className={buttonClass({ kind: 'light' })}>
      {t('home.see-open')}
    </Link>
  )
  return (
    <Hero
      title={hasOwnWords ? <Text words={block.title} /> : t('home.title', { site: site.name })}
      lead={hasOwnWords ? <Text words={block.text} /> : t('home.text')}
      actions={
        block.action || block.second ? (
          <>
            {action(block.action, 'light')}
            {action(block.second, 'outline-light')}
          </>
        ) : (
          openProjects
        )
      }
      scene={block.picture && <img src={block.picture} alt="" width={1440} height={560} fetchPriority="high" />}
      overlap={overlap}
    />
  )
}

const SEARCH_OF: Record<GridFilter, { status?: 'open' | 'upcoming' | 'results'; sort?: 'newest' }> = {
  open: { status: 'open' },
  upcoming: { status: 'upcoming' },
  results: { status: 'results' },
  newest: { sort: 'newest' },
}

function ProjectGrid<Card extends { id: string }>({
  block,
  card,
}: {
  block: BlockOf<'project_grid', Card>
  card: (project: Card) => ReactNode
}) {
  const { t } = useTranslation('participant')
  const format = useFormat()
  const isEmpty = block.projects.length === 0
  if (isEmpty && block.filter !== 'open') return null
  return (
    <section className="section" aria-labelledby={block.id}>
      <div className="wrap">
        <SectionHead
          id={block.id}
          title={block.title.text ? <Text words={block.title} /> : t(`home.${block.filter}`)}
          link={
            block.total > 0 && (
              <Link to="/projects">{t('home.all-projects', { count: block.total, number: format.number(block.total) })}</Link>
            )
          }
        />
        {isEmpty ? (
          <EmptyState
            level={3}
            title={t('home.nothing-open')}
            action={
              <Link to="/projects" search={SEARCH_OF.results} className={buttonClass({ kind: 'secondary' })}>
                {t('home.results')}
              </Link>
            }
          >
            {t('home.nothing-open-text')}
          </EmptyState>
        ) : (
          <div className="card-grid">
            {block.projects.map((project) => (
              <CardSlot key={project.id}>{card(project)}</CardSlot>
            ))}
          </div>
        )}
      </div>
    </section>
  )
}

const CardSlot = ({ children }: { children: ReactNode }) => children

function HubGrid<Hub extends { id: string }>({ block, card }: { block: BlockOf<'hub_grid', never, Hub>; card: (hub: Hub) => ReactNode }) {
  const { t } = useTranslation('participant')
  if (block.hubs.length === 0) return null
  return (
    <section className="section" aria-labelledby={block.id}>
      <div className="wrap">
        <SectionHead
          id={block.id}
          title={block.title.text ? <Text words={block.title} /> : t('home.hubs')}
          link={<Link to="/hubs">{t('home.all-hubs')}</Link>}
        />
        <div className="card-grid">
          {block.hubs.map((hub) => (
            <CardSlot key={hub.id}>{card(hub)}</CardSlot>
          ))}
        </div>
      </div>
    </section>
  )
}

function Voices({ block }: { block: BlockOf<'voices'> }) {
  const { t, i18n } = useTranslation('participant')
  if (block.quotes.length === 0) return null
  return (
    <section className="section section-wash" aria-labelledby={block.id}>
      <div className="wrap">
        <SectionHead id={block.id} title={block.title.text ? <Text words={block.title} /> : t('home.voices')} />
        <div className="quotes">
          {block.quotes.map((quote) => (
            <Quote
              key={quote.text}
              {...(quote.language === i18n.language ? {} : { language: quote.language })}
              source={
                quote.project && (
                  <Link to="/projects/$slug" params={{ slug: quote.project.slug }} lang={quote.project.title.lang}>
                    {t('home.voice-on', { project: quote.project.title.text })}
                  </Link>
                )
              }
            >
              {quote.text}
            </Quote>
          ))}
        </div>
      </div>
    </section>
  )
}

function Counters({ block }: { block: BlockOf<'counters'> }) {
  const { t } = useTranslation('participant')
  const format = useFormat()
  return (
    <section className="section" aria-label={t('home.numbers')}>
      <div className="wrap">
        <StatNumbers
          items={block.counters.map(({ name, value }) => ({
            value: format.number(value),
            label: t(`home.counters.${name}`, { count: value }),
          }))}
        />
      </div>
    </section>
  )
}
