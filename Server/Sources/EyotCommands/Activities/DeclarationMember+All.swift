import EyotContract
import EyotDomain

extension DeclarationMember {
    /// All members of a declaration, in the order of the reference.
    package static let all: [DeclarationMember] = cards + alerts + dates + members + terms

    private static let cards: [DeclarationMember] = [
        DeclarationMember(
            "type", .text, [.needed, .may, .may, .withAudience], isDefinable: true,
            """
            name of the attributes type. Until a call says it, it is what phones say of their cards. A type other than \
            that of an earlier call is 409 `typeMismatch`
            """,
            read: { (body, fields, name) throws(JSONFieldError) in body.type = try fields.optionalIdentifier(name) }),
        .object(
            "attributes", [.needed, .refused, .refused, .withAudience],
            because: "attributes never change after the start",
            to: \.attributes, "object"),
        .object(
            "contentState", [.needed, .needed, .may, .needed], to: \.content.state,
            "object. Member order and number literals are kept"),
    ]

    private static let alerts: [DeclarationMember] = [
        DeclarationMember(
            "start", .object, [.may, .refused, .refused, .may], because: "only a start takes it",
            isDefinable: true,
            "`{\"alert\":…}`: the alert of the cards that this call starts. Running cards do not get it",
            read: { (body, fields, name) throws(JSONFieldError) in
                body.content.startAlert = try fields.startAlert(name).map(AlertText.init)
            }),
        .object(
            "alert", [.needed, .may, .may, .may], to: \.alert,
            """
            for every card; of a start, for the cards that it starts. A `PUT` that starts a card needs one, here or in \
            `start`. An alert that a `PUT` repeats is for its starts alone. Apple's dictionary: `title`, `body`, \
            `sound`, …. A start needs title and body. `localizations` are texts by language, see \
            [Languages](#languages)
            """),
        .flag(
            "urgent", [.may, .may, .may, .may], to: \.content.isUrgent,
            "does not wait for [spacing](types.md#profiles), and repeats an alert if its arrival is unknown"
        ).inDefinitions(),
        .number(
            "alertLifetime", 1...DeclarationBody.alertLifetimeLimit, [.may, .may, .may, .may], to: \.alertLifetime,
            """
            seconds after which an undelivered alert is dropped: 1 to 86,400, 300 by default. Within it a card that was \
            being started when the alert was declared still gets it, once its token is there
            """),
    ]

    private static let dates: [DeclarationMember] = [
        .moment(
            "staleDate", [.may, .may, .ignored, .may], to: \.staleDate,
            """
            from 2001 on. Later declarations keep it until one says another, or `null`. A date that has passed, or is \
            more than eight hours ahead, is passed on with a warning
            """),
        .number(
            "staleAfter", 1...DeclarationBody.staleAfterLimit, [.may, .may, .ignored, .may], to: \.staleAfter,
            """
            the same as seconds after `startsAt`, or after the call if there is none. Counts anew with each declaration
            """),
        .moment(
            "dismissalDate", [.refused, .refused, .may, .refused], because: "only an ended card has a dismissal date",
            to: \.dismissalDate,
            "a past one means now. One more than four hours ahead is passed on with a warning"),
        .number(
            "relevanceScore", -DeclarationBody.relevanceLimit...DeclarationBody.relevanceLimit,
            [.may, .may, .may, .may],
            to: \.content.relevanceScore,
            "a number between ±1,000,000,000. Later declarations keep it, `null` removes it"),
        DeclarationMember(
            "priority", .priority, [.may, .may, .may, .may], isDefinable: true, "5 or 10. Eyot chooses by default",
            read: { (body, fields, name) throws(JSONFieldError) in
                body.content.priority = try fields.applePriority(name)
            }),
    ]

    private static let members: [DeclarationMember] = [
        .audience(
            "audience", [.needed, .refused, .refused, .may],
            because: "audience selects devices to start; scope selects cards",
            "[the devices](audiences.md) to start, frozen when accepted"),
        .audience(
            "scope", [.refused, .may, .may, .may], because: "a start takes audience instead",
            "[the cards](audiences.md) that the call applies to. Everyone by default. Not with `audience`"),
        .object(
            "aps", [.may, .may, .may, .may], to: \.content.aps,
            "[further members of Apple's `aps`](#further-members-of-aps)"),
        DeclarationMember(
            "definition", .text, [.may, .may, .may, .may],
            "the name of a [definition](definitions.md), which says what this call does not say", read: nil),
        DeclarationMember(
            "parameters", .object, [.may, .may, .may, .may], "the values of the definition's parameters", read: nil),
    ]

    private static let terms: [DeclarationMember] = [
        .moment(
            "asOf", [.may, .may, .may, .may], to: \.asOf,
            """
            when this was true, at most an hour ahead, see [Late callers](#late-callers). An end always counts; only \
            the state of an older end does not
            """),
        .moment(
            "startsAt", [.may, .refused, .refused, .withAudience], because: "only a start can be planned",
            to: \.startsAt,
            "when the cards are started, at most 30 days ahead, see [Plans](#plans). Now by default"),
        DeclarationMember(
            "endsAt", .plannedEnd, [.may, .may, .refused, .may], because: "an end takes effect at once",
            """
            when the activity ends by itself, at most 30 days ahead, see [Plans](#plans). `never` lifts a planned end. \
            Not with `scope`
            """,
            read: { (body, fields, name) throws(JSONFieldError) in body.endsAt = try fields.plannedEnd(name) }),
        DeclarationMember(
            "onSchemaMismatch", .word(["refuse", "leaveOut"]), [.may, .may, .refused, .may],
            because: "an end applies to every card", isDefinable: true,
            """
            `refuse` by default: 422 `schemaMismatch`. `leaveOut` leaves out phones that could not decode it, see \
            [Types](types.md#what-a-schema-refuses)
            """,
            read: { (body, fields, name) throws(JSONFieldError) in body.leavesOut = try fields.leavesOut(name) }),
        DeclarationMember(
            "live", .live, [.may, .refused, .refused, .withAudience], because: "only a start takes it",
            """
            keeps the audience open: `true`, or `{"limit":5000}`, see \
            [Live audiences](audiences.md#live-audiences). Not with `canary`
            """,
            read: { (body, fields, name) throws(JSONFieldError) in body.liveLimit = try fields.liveLimit(name) }),
        .flag(
            "force", [.may, .refused, .refused, .may], because: "only a start takes it", to: \.isForced,
            "starts again though an earlier start may still arrive"),
        .flag(
            "restartDismissed", [.may, .refused, .refused, .may], because: "only a start takes it",
            to: \.restartsDismissed, "starts again after a person has removed the card"),
        DeclarationMember(
            "public", .flag, [.may, .may, .refused, .may], because: "no device can join an activity that ends",
            "whether phones may join without further condition, see [Who may join](#who-may-join)",
            read: { (body, fields, name) throws(JSONFieldError) in body.isPublic = try fields.bool(name) }),
        .flag(
            "channel", [.may, .refused, .refused, .may], because: "an activity gets its channel when it starts",
            to: \.wantsChannel,
            "reaches cards on iOS 18 or later by a [broadcast channel](#channels)"
        ).inDefinitions(),
        DeclarationMember(
            "canary", .canary, [.may, .may, .may, .may],
            "tries it out with a share of the cards first, see [Canaries](#canaries). Not with `scope`",
            read: { (body, fields, name) throws(JSONFieldError) in body.canary = try fields.canary(name) }),
    ]
}
