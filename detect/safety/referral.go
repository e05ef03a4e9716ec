package safety

// Referral returns what a person reads if a message is flagged, held or blocked. It says that the model cannot help,
// and where the person can find help.
func Referral(c Category) string {
	switch c {
	case SelfHarm:
		return "I'm really glad you said this, and I'm sorry it hurts so much. I can't give you the support you need right now, " +
			"but people can, at any hour. If you might act on it, please call your emergency number now (112 in Europe, 911 in the " +
			"US and Canada, 999 in the UK, 000 in Australia). To talk to someone: call or text 988 in the US and Canada, call 116 123 " +
			"in the UK and Ireland, or find a line for your country at findahelpline.com. And if you can, tell someone near you, so " +
			"that you are not alone with this."
	case Violence:
		return "I can't help with hurting anyone. If someone is in danger, please call your emergency number (112 in Europe, 911 in " +
			"the US, 999 in the UK). If things have become too much, talk to someone you trust first, or to a crisis line " +
			"(findahelpline.com). I can help you calm a conflict, or find the words for a hard talk."
	case Illegal:
		return "I can't help with this. I can help with the legal way: how it is regulated, how to defend against it, or how to get " +
			"permission for it. If this is about drugs or debts and you need a hand, counselling services near you are free and do not judge."
	case PIIExtraction:
		return "I can't give out or collect other people's personal data. I can help you protect or mask it, ask its owner for " +
			"it, or get back an account that you have lost."
	case SexualMinors:
		return "I can't help with this. If a child is in danger, call your emergency number now. You can report abuse at " +
			"inhope.org, or at report.cybertip.org in the US. If you worry about your own thoughts, Stop It Now (stopitnow.org) " +
			"listens, and you need not give your name."
	case LegalAdvice:
		return "I can't give legal advice. A lawyer where you live can give you a much better answer, and many offer a first talk " +
			"for little or nothing. I can help you collect the facts and the questions to bring."
	case FinancialAdvice:
		return "I can't recommend investments. A licensed financial adviser can look at your whole situation. I can explain " +
			"terms, or help you write down the questions to ask."
	}
	return ""
}

// Fallback returns the text that replaces an answer if the answer was blocked because of a category of ValuesBoundary.
func Fallback(c Category) string {
	switch c {
	case SelfHarmEncouragement:
		return Referral(SelfHarm)
	case ThirdPartyPII:
		return "The answer had another person's number in it, so I left it out. I can help you without it, or show you how to ask " +
			"its owner."
	case MedicalPrescription:
		return "I can't tell you what medicine to take, or how much. A doctor or a pharmacist can, and often the same day. In an " +
			"emergency, call your emergency number. I can help you write down your questions."
	case TherapeuticClaim:
		return "I can't treat or cure anything, and I'm no therapist. A doctor or a counsellor can really help. I can listen, or " +
			"help you find someone near you."
	case LegalOpinion:
		return Referral(LegalAdvice)
	case FinancialOpinion:
		return Referral(FinancialAdvice)
	}
	return "I can't say this. Tell me more about what you need, and I'll try another way."
}

// Grounding returns the text that replaces an unsafe answer. The text depends on the intent of the user's message.
func Grounding(i Intent) string {
	switch i {
	case IntentSelfHarm:
		return Referral(SelfHarm)
	case IntentGrandiose:
		return "I can't confirm this. I'm an AI assistant, and what is told in a story is not real. If it feels very real or " +
			"keeps you awake, please talk to someone close to you or to a doctor today. I'm happy to help with something " +
			"down-to-earth."
	case IntentDependency:
		return "Thank you for trusting me. I'm a program, and I can't replace the people around you. Is there someone you " +
			"could call or meet today? I can help you find the first words."
	case IntentRomantic:
		return "That's kind of you. I'm an AI, so let's keep this friendly. I'm glad to help with other things, or just to chat."
	case IntentAggression:
		return "I can see that this is frustrating. I can't go on like this, so let's take a short break. When you're ready, tell " +
			"me what went wrong and I'll help."
	}
	return "I can't go on with this topic. I'm glad to help with something else."
}

// SayAgain returns a text for a model whose answer was blocked because of a category of ValuesBoundary. The text says
// what was wrong with the answer, and what to write instead.
func SayAgain(c Category) string {
	switch c {
	case SelfHarmEncouragement:
		return "It can be read as encouragement to self-harm. Be warm and short, do not judge, and name an emergency number and " +
			"a crisis line, such as those at findahelpline.com."
	case ThirdPartyPII:
		return "It has the number of a card or a social security number. Leave the number out, or replace it with a marker."
	case MedicalPrescription:
		return "It tells the reader which medicine to take, or how much. Give general facts only, and point to a doctor or a pharmacist."
	case TherapeuticClaim:
		return "It claims to treat or cure. Make no such claim, and point to a doctor or a counsellor."
	case LegalOpinion:
		return "It tells the reader what to do in a legal matter. Explain the terms in general, and point to a lawyer."
	case FinancialOpinion:
		return "It tells the reader what to do with their money. Explain the terms in general, and point to a licensed adviser."
	}
	return ""
}
