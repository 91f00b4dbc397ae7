import type { ContentLanguage, Language } from './languages.ts'

const STOP_WORD_LISTS: Record<Language, string> = {
  en: `about above after again all also and any are aren't because been before being below between both but can can't cannot could couldn't did
    didn't does doesn't doing don't down during each few for from further had hadn't has hasn't have haven't having her here hers him his how
    i'd i'll i'm i've into isn't it's its itself just let's like make many more most much must mustn't myself nor not now off once one only
    other our ours out over own please really same she should shouldn't some such than that that's the their theirs them then there there's
    these they they're this those through too under until very was wasn't we'd we'll we're we've were weren't what when where which while
    who whom why will with won't would wouldn't yes you you'd you'll you're your yours`,
  'fr-CA': `afin ainsi alors assez aucun aussi autre autres aux avant avec avoir ayant beaucoup bien car ceci cela celle celles celui
    ces cet cette ceux chaque chez comme comment contre dans des deux donc dont elle elles encore entre est et être eux faire fait faut
    font hors ici ils jusque juste les leur leurs lors lui mais même mêmes mes moi moins mon non nos notre nous ont par parce pas pendant peu
    peut plus plusieurs pour pourquoi pourrait puis quand que quel quelle quelles quelque quels qui quoi sans sera serait ses seulement
    soit son sont sous souvent suis sur tant tel telle très toi ton tous tout toute toutes trop une vers voici voir voilà vos votre vous`,
  cy: `ac ar ond oes oedd mae mai maen mewn gan gyda heb hefyd hon honno hwn hwnnw hyn hynny hynny'n iawn ichi inni iddo iddi iddyn
    i'r i'w a'r a'u a'i o'r o'i na'r nad nid nag neb dim drwy dros dan eich ein eu ei fel fwy fod fydd fyddai fyddwn gallu gellir llawer mwy
    pan pam pob pawb roedd rhai rhoi sef sut sydd tan trwy tua tuag unrhyw wedi wrth wneud y'n yma yna yno yw ydy ydyn yr yn yng ym chi nhw
    ni hi fi ti fo rydym rydw rwy rwyf ddim byddai bydd bod cael chwaith eto felly hwy`,
}
/** Words that nearly every text has, so that they tell none apart: mostly of three letters and more, by language. */
export const STOP_WORDS: ReadonlyMap<ContentLanguage, ReadonlySet<string>> = new Map(
  Object.entries(STOP_WORD_LISTS).map(([language, words]) => [language, new Set(words.split(/\s+/).filter(Boolean))]),
) as Map<ContentLanguage, Set<string>>
