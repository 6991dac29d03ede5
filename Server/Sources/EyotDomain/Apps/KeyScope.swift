/// A family of calls that a key of the control plane may make. Each route of the control plane names the scopes that it
/// needs.
package enum KeyScope: String, Sendable, Hashable, CaseIterable {
    /// Read activities, their replicas and channels, and operations.
    case activitiesRead = "activities:read"
    /// Start activities, and put them.
    case activitiesStart = "activities:start"
    /// Update and end activities.
    case activitiesUpdate = "activities:update"
    /// Halt and resume an activity, a type or the app.
    case activitiesHalt = "activities:halt"
    /// Read users and devices, and what is stored about them.
    case peopleRead = "people:read"
    /// Change what is stored about users and devices; restore their tokens.
    case peopleWrite = "people:write"
    /// Read profiles and schemas of types.
    case typesRead = "types:read"
    case typesWrite = "types:write"
    /// Read definitions.
    case definitionsRead = "definitions:read"
    case definitionsWrite = "definitions:write"
    /// Read the app, and the ids of its APNs keys.
    case appsRead = "apps:read"
    /// Change apps, their APNs keys, and how their users are proven.
    case appsWrite = "apps:write"
    /// List the keys, by their first characters.
    case keysRead = "keys:read"
    /// Make, rotate and revoke keys.
    case keysWrite = "keys:write"
    /// Read which changes were made, and by which key.
    case auditRead = "audit:read"
    /// Read what happened to activities, cards and devices.
    case eventsRead = "events:read"
    /// Read why a phone shows what it shows. A key with `events:read` and `people:read` may do this too.
    case whyRead = "why:read"
    /// Read whole push tokens in events. Without it events show fingerprints. No call needs it.
    case tokensRead = "tokens:read"
    /// Read webhooks, and what could not be delivered to them.
    case webhooksRead = "webhooks:read"
    /// Create, change and test webhooks, and deliver events again.
    case webhooksWrite = "webhooks:write"
}
