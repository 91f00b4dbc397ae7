import type { LanguageRules } from './language-rules.ts'

export const ENGLISH: LanguageRules = {
  // The limit of the GOV.UK content guide.
  mostWords: 25,
  leading: [
    /^(?:so,? )?(?:are|can|could|did|do|does|had|has|have|is|should|was|were|wo|would)n't\b/,
    /^(?:given|considering|seeing|knowing|in view of|now|since|because|bearing in mind)(?: that)? .*\?$/,
    /\b(?:most|many) (?:people|residents|local people|experts|of your neighbours)\b|\bevery(?:one|body) (?:knows|agrees|wants)\b|\bexperts (?:say|agree)\b/,
    /^why (?:do|did|would) (?:you|people) (?:support|oppose|like|dislike|want|agree|disagree|prefer)\b/,
    /^how (?:much|far) (?:has|have|did|does|do|will|would) .*\b(?:improve[ds]?|benefit(?:ed|s)?|help(?:ed|s)?|worsen(?:ed|s)?|harm(?:ed|s)?)\b/,
    /\b(?:exciting|fantastic|wonderful|world-class|much-needed|long-overdue|vital|precious|outdated|unfair|ridiculous|wasteful|wasting)\b/,
    /\b(?:surely|obviously|clearly|of course|undoubtedly)\b/,
    /\bpay (?:just |only )?(?:a little|a bit|slightly|a few)\b/,
  ],
  sides: [
    { one: /\bagree\b/, other: /\bdisagree\b|\bor not\b/ },
    { one: /\byou (?:\w+ )?(?:support|favour|back|welcome)\b/, other: /\b(?:oppose|against)\b|\bor not\b/ },
    { one: /\byou (?:\w+ )?(?:oppose|object to)\b/, other: /\b(?:support|favour)\b|\bor not\b/ },
  ],
  closed:
    /^(?:overall,? )?(?:how (?:would you (?:rate|describe)|satisfied|dissatisfied|happy|good|well|easy|difficult|safe|important|useful|helpful|clear|likely)|to what extent|(?:are|can|could|did|do|does|has|have|is|should|was|were|will|would)\b)/,
  and: /\band\b/,
  pairs:
    /\bbetween \S+(?: \S+)? and\b|\b(?:parks and (?:open|green) spaces|health and (?:wellbeing|well-being|safety|social care)|children and young people|arts and culture|friends and family|walking and cycling|pros and cons|advantages and disadvantages|bed and breakfast|terms and conditions)\b/g,
  secondQuestion: /,? and (?:why|how|what|when|where|who|which)\b/,
  noneOption:
    /\bnone\b|\bnever\b|\bnot sure\b|\bunsure\b|\bdon't know\b|\bdo not know\b|\b(?:an)?other\b|\bsome(?:thing|where|one) else\b|\bprefer not\b|\bnot applicable\b|\bn\/a\b|\bno (?:preference|opinion|difference|view)\b|\bneither\b|^i (?:do not|don't|did not|didn't)\b/,
  degree: /\b(?:very|fairly|quite|extremely|slightly|strongly|somewhat|rather|completely|at all)\b/,
  positive:
    /\b(?:satisfied|happy|good|excellent|agree|support|favour|important|safe|easy|likely|certain|useful|helpful|clear|love|like|fine|better|well|great)\b/,
  negative:
    /\b(?:dissatisfied|unhappy|bad|poor|terrible|awful|disagree|oppose|against|unimportant|unsafe|difficult|hard|unlikely|useless|unhelpful|unclear|hate|dislike|worse)\b/,
  negation: /\b(?:not|isn't|don't|no)\b/,
  neutral: /\bneither\b|\bneutral\b|\bno different\b|\babout the same\b|\bmixed\b|^(?:fair|average|ok|okay|acceptable)$/,
}
