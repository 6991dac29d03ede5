/// What a key of the control plane may do: a family of calls each. Every route of the control plane names the ones that it needs.
package enum KeyScope: String, Sendable, Hashable, CaseIterable {
    /// How activities, their replicas and channels stand, and what became of operations.
    case activitiesRead = "activities:read"
    /// Start activities, and put them.
    case activitiesStart = "activities:start"
    /// Update and end activities.
    case activitiesUpdate = "activities:update"
    /// Halt an activity, a type or the app, and let it go on.
    case activitiesHalt = "activities:halt"
    /// Users and devices, and what is known of them.
    case peopleRead = "people:read"
    /// Say what is known of users and devices; restore their tokens.
    case peopleWrite = "people:write"
    /// Profiles and schemas of types.
    case typesRead = "types:read"
    case typesWrite = "types:write"
    /// Definitions of what calls fill in.
    case definitionsRead = "definitions:read"
    case definitionsWrite = "definitions:write"
    /// The app, and the ids of its APNs keys.
    case appsRead = "apps:read"
    /// Apps, their APNs keys, and how their users prove who they are.
    case appsWrite = "apps:write"
    /// Which keys there are, by their first characters.
    case keysRead = "keys:read"
    /// Make, rotate and revoke keys.
    case keysWrite = "keys:write"
    /// What was changed, and by which key.
    case auditRead = "audit:read"
}
