import type { HomeBlockView } from '#app/features/homepage/homepage.schema.ts'
import { escapeHtml } from '#app/lib/escape.ts'
import type { Language } from '#app/lib/languages.ts'
import { parseRichText, type RichInline } from '#app/lib/rich-text.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { LetterBlock } from './newsletters.schema.ts'

export type LetterBlockView = HomeBlockView<LetterBlock['type']>

/** A newsletter in one language. What is for each reader alone stands in it as `{{name}}` and `{{leave}}`. */
export interface Letter {
  language: Language
  subject: string
  site: string
  greeting: string
  blocks: readonly LetterBlockView[]
  /** Why somebody gets it, and the ways to get it no more. */
  foot: { why: string; leave: string; choose: string; chooseHref: string }
  words: { answer: string }
  /** Whole address of a path of the site, in the letter's language; anything else as it is. */
  href: (to: string) => string
}

const INK = '#1c1b19'
const SOFT = '#55524d'
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
/** Where a mail program shows mails dark, it is told how; the others show it light. */
const DARK = `:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){
.page{background:#171614!important}.sheet,.card{background:#22201d!important;border-color:#45413b!important}
.ink,.ink a{color:#f3efe8!important}.soft,.soft a{color:#c4beb4!important}.button{background:#f3efe8!important;color:#1c1b19!important}
}
@media (max-width:600px){.sheet{padding:20px!important}}`

/** Both bodies of a newsletter: tables and inline styles, since many mail programs know nothing else, and the same in plain text. */
export function renderLetter(letter: Letter): { html: string; text: string } {
  const { language, subject, site, greeting, foot } = letter
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(subject)}</title><style>${DARK}</style></head>`,
    `<body class="page" style="margin:0;padding:0;background:#faf7f2">`,
    `<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#faf7f2"><tr><td align="center" style="padding:24px 12px">`,
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px">`,
    row(`<p class="ink" style="margin:0 0 12px;${FONT};font-size:15px;font-weight:700;color:${INK}">${escapeHtml(site)}</p>`),
    `<tr><td class="sheet" style="padding:32px;background:#ffffff;border-radius:12px 12px 12px 0">`,
    paragraph(escapeHtml(greeting)),
    ...letter.blocks.map((block) => htmlOf(letter, block)),
    '</td></tr>',
    row(
      `<p class="soft" style="margin:16px 0 0;${FONT};font-size:13px;line-height:1.5;color:${SOFT}">${escapeHtml(foot.why)}<br>` +
        `<a href="{{leave}}" style="color:${SOFT}">${escapeHtml(foot.leave)}</a> · ` +
        `<a href="${escapeHtml(foot.chooseHref)}" style="color:${SOFT}">${escapeHtml(foot.choose)}</a></p>`,
    ),
    '</table></td></tr></table></body></html>',
  ].join('\n')
  const text = [
    greeting,
    ...letter.blocks.flatMap((block) => textOf(letter, block)),
    `--\n${foot.why}`,
    `${foot.leave}:\n{{leave}}`,
    `${foot.choose}:\n${foot.chooseHref}`,
  ]
    .filter((part) => part.trim())
    .join('\n\n')
  return { html, text }
}

function htmlOf(letter: Letter, block: LetterBlockView): string {
  const { href, words } = letter
  switch (block.type) {
    case 'rich_text':
      return rich(block.body, href)
    case 'picture_text':
      return [
        block.picture ? picture(href(block.picture.file), block.picture.alt) : '',
        title(block.title),
        rich(block.body, href),
        button(block.action?.label, block.action && href(block.action.href)),
      ].join('\n')
    case 'project_grid':
      return [
        title(block.title),
        ...block.data.projects.map((project) => {
          const to = escapeHtml(href(`/projects/${project.slug}`))
          const name = `<a href="${to}" style="color:${INK};text-decoration:underline">${escapeHtml(project.title.text)}</a>`
          return card(
            [
              project.picture ? picture(href(project.picture.src), { text: '' }) : '',
              `<p class="ink" ${lang(project.title)} style="margin:0 0 6px;${FONT};font-size:18px;line-height:1.3;font-weight:700;color:${INK}">${name}</p>`,
              `<p class="soft" ${lang(project.summary)} style="margin:0;${FONT};font-size:15px;line-height:1.5;color:${SOFT}">${escapeHtml(project.summary.text)}</p>`,
            ].join(''),
          )
        }),
      ].join('\n')
    case 'survey_teaser': {
      const { survey } = block.data
      if (!survey) return ''
      const [head, intro] = [block.title.text ? block.title : survey.title, block.text.text ? block.text : survey.intro]
      return card(
        title(head) + rich(intro, href) + button({ text: words.answer }, href(`/projects/${survey.project}/surveys/${survey.slug}`)),
      )
    }
    case 'call_to_action':
      return card(
        [
          title(block.title),
          block.text.text ? paragraph(escapeHtml(block.text.text), lang(block.text)) : '',
          button(block.action?.label, block.action && href(block.action.href)),
          button(block.second?.label, block.second && href(block.second.href)),
        ].join(''),
      )
    case 'divider':
      return block.look === 'line' ? '<hr style="margin:24px 0;border:0;border-top:1px solid #d9d3c8">' : '<div style="height:24px"></div>'
  }
}

function textOf(letter: Letter, block: LetterBlockView): string[] {
  const { href, words } = letter
  const action = (one: { label: LocalisedText; href: string } | null) => (one?.label.text ? [`${one.label.text}:\n${href(one.href)}`] : [])
  switch (block.type) {
    case 'rich_text':
      return [richTextPlain(block.body.text, href)]
    case 'picture_text':
      return [block.title.text, richTextPlain(block.body.text, href), ...action(block.action)]
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
        richTextPlain(block.text.text || survey.intro.text, href),
        `${words.answer}:\n${href(`/projects/${survey.project}/surveys/${survey.slug}`)}`,
      ]
    }
    case 'call_to_action':
      return [block.title.text, block.text.text, ...action(block.action), ...action(block.second)]
    case 'divider':
      return block.look === 'line' ? ['* * *'] : []
  }
}

const row = (content: string) => `<tr><td>${content}</td></tr>`
const lang = (words: LocalisedText) => (words.lang ? `lang="${words.lang}"` : '')
const paragraph = (html: string, more = '') =>
  `<p class="ink" ${more} style="margin:0 0 16px;${FONT};font-size:16px;line-height:1.6;color:${INK}">${html}</p>`
const heading = (level: 2 | 3, html: string, more = '') =>
  `<h${level} class="ink" ${more} style="margin:24px 0 8px;${FONT};font-size:${level === 2 ? 22 : 18}px;line-height:1.3;color:${INK}">${html}</h${level}>`
const title = (words: LocalisedText) => (words.text ? heading(2, escapeHtml(words.text), lang(words)) : '')
const picture = (src: string, alt: LocalisedText) =>
  `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt.text)}" ${lang(alt)} width="536" style="display:block;width:100%;max-width:536px;height:auto;margin:0 0 12px;border:0;border-radius:8px">`
const card = (content: string) =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px"><tr>` +
  `<td class="card" style="padding:20px;border:1px solid #d9d3c8;border-radius:12px 12px 12px 0;background:#fdfcfa">${content}</td></tr></table>`

/** A cell with a ground of its own: a link alone has none in some mail programs. */
const button = (label: LocalisedText | undefined, href: string | null | undefined): string =>
  label?.text && href
    ? `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 16px"><tr>` +
      `<td class="button" bgcolor="${INK}" style="background:${INK};border-radius:8px 8px 8px 0">` +
      `<a class="button" ${lang(label)} href="${escapeHtml(href)}" style="display:inline-block;padding:12px 20px;${FONT};font-size:16px;font-weight:600;color:#ffffff;text-decoration:none">${escapeHtml(label.text)}</a></td></tr></table>`
    : ''

function rich(words: LocalisedText, href: Letter['href']): string {
  const inline = (content: readonly RichInline[]): string =>
    content
      .map((part) => {
        switch (part.type) {
          case 'text':
            return escapeHtml(part.text)
          case 'break':
            return '<br>'
          case 'strong':
            return `<strong>${inline(part.content)}</strong>`
          case 'link':
            return `<a href="${escapeHtml(href(part.href))}" style="color:${INK}">${inline(part.content)}</a>`
        }
      })
      .join('')
  return parseRichText(words.text)
    .map((block) => {
      if (block.type === 'heading') return heading(block.level, inline(block.content), lang(words))
      if (block.type === 'paragraph') return paragraph(inline(block.content), lang(words))
      const items = block.items.map((item) => `<li style="margin:0 0 6px">${inline(item)}</li>`).join('')
      return `<ul class="ink" ${lang(words)} style="margin:0 0 16px;padding:0 0 0 20px;${FONT};font-size:16px;line-height:1.6;color:${INK}">${items}</ul>`
    })
    .join('\n')
}

/** The text without its marks; where a link leads follows its words. */
function richTextPlain(source: string, href: Letter['href']): string {
  const inline = (content: readonly RichInline[]): string =>
    content
      .map((part) => {
        switch (part.type) {
          case 'text':
            return part.text
          case 'break':
            return '\n'
          case 'strong':
            return inline(part.content)
          case 'link':
            return `${inline(part.content)} (${href(part.href)})`
        }
      })
      .join('')
  return parseRichText(source)
    .map((block) => (block.type === 'list' ? block.items.map((item) => `- ${inline(item)}`).join('\n') : inline(block.content)))
    .join('\n\n')
}
