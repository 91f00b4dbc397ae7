import type { HomeBlockView } from '#app/features/homepage/homepage.schema.ts'
import { getDirection } from '#app/lib/added-languages.ts'
import { escapeHtml } from '#app/lib/escape-html.ts'
import type { Language } from '#app/lib/languages.ts'
import { parseRichText, type RichInline } from '#app/lib/rich-text.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { NewsletterBlock } from './newsletters.schema.ts'

export type NewsletterBlockView = HomeBlockView<NewsletterBlock['type']>

/** A newsletter in one language. Personal parts are the placeholders `{{name}}` and `{{leave}}`. */
export interface RenderableNewsletter {
  language: Language
  subject: string
  site: string
  greeting: string
  blocks: readonly NewsletterBlockView[]
  /** Why the reader gets it, and how to unsubscribe. */
  foot: { why: string; leave: string; choose: string; chooseHref: string }
  words: { answer: string }
  /** Where a link leads: for a path of the site, in the newsletter's language. */
  href: (to: string) => string
  /** Absolute URL of a picture. */
  src: (file: string) => string
}

const TEXT_COLOR = '#1c1b19'
const MUTED_COLOR = '#55524d'
const FONT_STYLE = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
/** For email programs with a dark mode; others show the light version. */
const DARK_MODE_CSS = `:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){
.page{background:#171614!important}.sheet,.card{background:#22201d!important;border-color:#45413b!important}
.ink,.ink a{color:#f3efe8!important}.soft,.soft a{color:#c4beb4!important}.button{background:#f3efe8!important;color:#1c1b19!important}
}
@media (max-width:600px){.sheet{padding:20px!important}}`

/** Renders the HTML and plain text bodies. Tables and inline styles, because many email programs support nothing else. */
export function renderNewsletter(letter: RenderableNewsletter): { html: string; text: string } {
  const { language, subject, site, greeting, foot } = letter
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(subject)}</title><style>${DARK_MODE_CSS}</style></head>`,
    `<body class="page" style="margin:0;padding:0;background:#faf7f2">`,
    `<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#faf7f2"><tr><td align="center" style="padding:24px 12px">`,
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px">`,
    renderRow(
      `<p class="ink" style="margin:0 0 12px;${FONT_STYLE};font-size:15px;font-weight:700;color:${TEXT_COLOR}">${escapeHtml(site)}</p>`,
    ),
    `<tr><td class="sheet" style="padding:32px;background:#ffffff;border-radius:12px 12px 12px 0">`,
    renderParagraph(escapeHtml(greeting)),
    ...letter.blocks.map((block) => renderBlockHtml(letter, block)),
    '</td></tr>',
    renderRow(
      `<p class="soft" style="margin:16px 0 0;${FONT_STYLE};font-size:13px;line-height:1.5;color:${MUTED_COLOR}">${escapeHtml(foot.why)}<br>` +
        `<a href="{{leave}}" style="color:${MUTED_COLOR}">${escapeHtml(foot.leave)}</a> · ` +
        `<a href="${escapeHtml(foot.chooseHref)}" style="color:${MUTED_COLOR}">${escapeHtml(foot.choose)}</a></p>`,
    ),
    '</table></td></tr></table></body></html>',
  ].join('\n')
  const text = [
    greeting,
    ...letter.blocks.flatMap((block) => renderBlockText(letter, block)),
    `--\n${foot.why}`,
    `${foot.leave}:\n{{leave}}`,
    `${foot.choose}:\n${foot.chooseHref}`,
  ]
    .filter((part) => part.trim())
    .join('\n\n')
  return { html, text }
}

function renderBlockHtml(letter: RenderableNewsletter, block: NewsletterBlockView): string {
  const { href, src, words } = letter
  switch (block.type) {
    case 'rich_text':
      return renderRichText(block.body, letter)
    case 'picture_text':
      return [
        block.picture ? renderPicture(src(block.picture.file), block.picture.alt) : '',
        renderTitle(block.title),
        renderRichText(block.body, letter),
        renderButton(block.action?.label, block.action && href(block.action.href)),
      ].join('\n')
    case 'project_grid':
      return [
        renderTitle(block.title),
        ...block.data.projects.map((project) => {
          const to = escapeHtml(href(`/projects/${project.slug}`))
          const name = `<a href="${to}" style="color:${TEXT_COLOR};text-decoration:underline">${escapeHtml(project.title.text)}</a>`
          return renderCard(
            [
              project.picture ? renderPicture(src(project.picture.src), { text: '' }) : '',
              `<p class="ink" ${buildLangAttribute(project.title)} style="margin:0 0 6px;${FONT_STYLE};font-size:18px;line-height:1.3;font-weight:700;color:${TEXT_COLOR}">${name}</p>`,
              `<p class="soft" ${buildLangAttribute(project.summary)} style="margin:0;${FONT_STYLE};font-size:15px;line-height:1.5;color:${MUTED_COLOR}">${escapeHtml(project.summary.text)}</p>`,
            ].join(''),
          )
        }),
      ].join('\n')
    case 'survey_teaser': {
      const { survey } = block.data
      if (!survey) return ''
      const [head, intro] = [block.title.text ? block.title : survey.title, block.text.text ? block.text : survey.intro]
      return renderCard(
        renderTitle(head) +
          renderRichText(intro, letter) +
          renderButton({ text: words.answer }, href(`/projects/${survey.project}/surveys/${survey.slug}`)),
      )
    }
    case 'call_to_action':
      return renderCard(
        [
          renderTitle(block.title),
          block.text.text ? renderParagraph(escapeHtml(block.text.text), buildLangAttribute(block.text)) : '',
          renderButton(block.action?.label, block.action && href(block.action.href)),
          renderButton(block.second?.label, block.second && href(block.second.href)),
        ].join(''),
      )
    case 'divider':
      return block.look === 'line' ? '<hr style="margin:24px 0;border:0;border-top:1px solid #d9d3c8">' : '<div style="height:24px"></div>'
  }
}

function renderBlockText(letter: RenderableNewsletter, block: NewsletterBlockView): string[] {
  const { href, words } = letter
  const renderActionText = (one: { label: LocalisedText; href: string } | null) =>
    one?.label.text ? [`${one.label.text}:\n${href(one.href)}`] : []
  switch (block.type) {
    case 'rich_text':
      return [renderRichTextPlain(block.body.text, href)]
    case 'picture_text':
      return [block.title.text, renderRichTextPlain(block.body.text, href), ...renderActionText(block.action)]
    case 'project_grid':
      return [
        block.title.text,
        ...block.data.projects.map(({ title: name, summary, slug }) => `${name.text}\n${summary.text}\n${href(`/projects/${slug}`)}`),
      ]
    case 'survey_teaser': {
      const { survey } = block.data
      if (!survey) return []
      return [
        block.title.text || survey.title.text,
        renderRichTextPlain(block.text.text || survey.intro.text, href),
        `${words.answer}:\n${href(`/projects/${survey.project}/surveys/${survey.slug}`)}`,
      ]
    }
    case 'call_to_action':
      return [block.title.text, block.text.text, ...renderActionText(block.action), ...renderActionText(block.second)]
    case 'divider':
      return block.look === 'line' ? ['* * *'] : []
  }
}

const renderRow = (content: string) => `<tr><td>${content}</td></tr>`
const buildLangAttribute = (words: LocalisedText) =>
  words.lang ? `lang="${words.lang}"${getDirection(words.lang) ? ' dir="rtl"' : ''}` : ''
const renderParagraph = (html: string, more = '') =>
  `<p class="ink" ${more} style="margin:0 0 16px;${FONT_STYLE};font-size:16px;line-height:1.6;color:${TEXT_COLOR}">${html}</p>`
const renderHeading = (level: 2 | 3, html: string, more = '') =>
  `<h${level} class="ink" ${more} style="margin:24px 0 8px;${FONT_STYLE};font-size:${level === 2 ? 22 : 18}px;line-height:1.3;color:${TEXT_COLOR}">${html}</h${level}>`
const renderTitle = (words: LocalisedText) => (words.text ? renderHeading(2, escapeHtml(words.text), buildLangAttribute(words)) : '')
const renderPicture = (src: string, alt: LocalisedText) =>
  `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt.text)}" ${buildLangAttribute(alt)} width="536" style="display:block;width:100%;max-width:536px;height:auto;margin:0 0 12px;border:0;border-radius:8px">`
const renderCard = (content: string) =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px"><tr>` +
  `<td class="card" style="padding:20px;border:1px solid #d9d3c8;border-radius:12px 12px 12px 0;background:#fdfcfa">${content}</td></tr></table>`

/** A table cell, because some email programs ignore the background of a link. */
const renderButton = (label: LocalisedText | undefined, href: string | null | undefined): string =>
  label?.text && href
    ? `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 16px"><tr>` +
      `<td class="button" bgcolor="${TEXT_COLOR}" style="background:${TEXT_COLOR};border-radius:8px 8px 8px 0">` +
      `<a class="button" ${buildLangAttribute(label)} href="${escapeHtml(href)}" style="display:inline-block;padding:12px 20px;${FONT_STYLE};font-size:16px;font-weight:600;color:#ffffff;text-decoration:none">${escapeHtml(label.text)}</a></td></tr></table>`
    : ''

const TEXT_STYLE = `${FONT_STYLE};font-size:16px;line-height:1.6;color:${TEXT_COLOR}`
const renderCell = (html: string, tag: 'th' | 'td') =>
  `<${tag} align="left" valign="top" style="padding:8px 12px 8px 0;border-bottom:1px solid #d9d3c8">${html}</${tag}>`

function renderRichText(words: LocalisedText, { href, src }: Pick<RenderableNewsletter, 'href' | 'src'>): string {
  const renderInline = (content: readonly RichInline[]): string =>
    content
      .map((part) => {
        switch (part.type) {
          case 'text':
            return escapeHtml(part.text)
          case 'break':
            return '<br>'
          case 'strong':
            return `<strong>${renderInline(part.content)}</strong>`
          case 'emphasis':
            return `<em>${renderInline(part.content)}</em>`
          case 'link':
            return `<a href="${escapeHtml(href(part.href))}" style="color:${TEXT_COLOR}">${renderInline(part.content)}</a>`
        }
      })
      .join('')
  return parseRichText(words.text)
    .map((block) => {
      const lang = buildLangAttribute(words)
      switch (block.type) {
        case 'heading':
          return renderHeading(block.level, renderInline(block.content), lang)
        case 'paragraph':
          return renderParagraph(renderInline(block.content), lang)
        case 'list': {
          const tag = block.start === undefined ? 'ul' : `ol start="${block.start}"`
          const items = block.items.map((item) => `<li style="margin:0 0 6px">${renderInline(item)}</li>`).join('')
          return `<${tag} class="ink" ${lang} style="margin:0 0 16px;padding:0 0 0 20px;${TEXT_STYLE}">${items}</${tag.slice(0, 2)}>`
        }
        case 'table': {
          const rows = block.rows.map(
            (row, at) => `<tr>${row.map((cell) => renderCell(renderInline(cell), at ? 'td' : 'th')).join('')}</tr>`,
          )
          return `<table class="ink" ${lang} width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px;border-collapse:collapse;${TEXT_STYLE}">${rows.join('')}</table>`
        }
        case 'picture':
          return renderPicture(src(block.src), { ...words, text: block.alt })
        case 'video':
          return renderParagraph(
            `<a href="${escapeHtml(block.href)}" style="color:${TEXT_COLOR}">${escapeHtml(block.title)} (${block.host})</a>`,
            lang,
          )
      }
    })
    .join('\n')
}

/** Plain text without markup; each link is followed by its URL. */
function renderRichTextPlain(source: string, href: RenderableNewsletter['href']): string {
  const renderInlinePlain = (content: readonly RichInline[]): string =>
    content
      .map((part) => {
        switch (part.type) {
          case 'text':
            return part.text
          case 'break':
            return '\n'
          case 'strong':
          case 'emphasis':
            return renderInlinePlain(part.content)
          case 'link':
            return `${renderInlinePlain(part.content)} (${href(part.href)})`
        }
      })
      .join('')
  return parseRichText(source)
    .map((block) => {
      switch (block.type) {
        case 'list': {
          const { start } = block
          return block.items.map((item, at) => `${start === undefined ? '-' : `${start + at}.`} ${renderInlinePlain(item)}`).join('\n')
        }
        case 'table':
          return block.rows.map((row) => row.map(renderInlinePlain).join(' | ')).join('\n')
        case 'picture':
          return block.alt
        case 'video':
          return `${block.title} (${block.host}):\n${block.href}`
        default:
          return renderInlinePlain(block.content)
      }
    })
    .filter((text) => text)
    .join('\n\n')
}
