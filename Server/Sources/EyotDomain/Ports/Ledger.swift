import EyotContract

/// The rows that a transition reads and writes, inside one transaction.
///
/// What is decided stands in the domain; a ledger only fetches and keeps. It has two implementations: values in memory,
/// which is what the scenarios run on, and SQL. The same scenarios run on both.
package protocol Ledger: AppLedger, DeviceLedger, PeopleLedger, MemberLedger, ArrivalLedger, ActivityLedger,
    ReplicaLedger, RingLedger, ChannelLedger, PruningLedger, AnswerLedger, NodeLedger, SchemaLedger, InsiderLedger,
    IdentityLedger, DefinitionLedger, TestDeviceLedger, LiveLedger, AuditLedger, JoinLedger, PlanningLedger,
    AppUsageLedger, AccessLedger, AppRemovalLedger
{
    /// Activities that this transaction made due: the hint to the engine, once it is committed.
    var woken: Set<ActivityID> { get set }

    /// Activities for which something may be sent and that are due at or before a moment, by ``DueActivity/byTurns(_:limit:)``. Due
    /// are such, too, as have passed somebody over in an environment in which their app is not paused any more, and half of the
    /// room is for the others of their app. What is paused or halted is not among them.
    func dueActivities(at now: Instant, limit: Int) throws -> [DueActivity]
    /// Activities of an app that are due after one moment and up to another, soonest first. Those that are halted are
    /// left out.
    func activitiesDue(of app: AppID, after now: Instant, upTo moment: Instant, limit: Int) throws -> [ActivityID]
    /// Activities of an app that have passed somebody over in an environment in which it is paused, those that are
    /// halted left out.
    func activitiesPassingOver(_ environment: PushEnvironment, of app: AppID, limit: Int) throws -> [ActivityID]
    /// Apps that are paused in an environment.
    func pausedApps() throws -> [App]
    /// When, after a moment, the next activity for which something may be sent becomes due; nil where none does.
    func nextDue(after now: Instant) throws -> Instant?
}

/// Which node pushes.
package protocol NodeLedger: AnyObject {
    /// Nil where nobody ever had it. A transaction that has read it and then writes commits only where nobody has replaced it
    /// meanwhile.
    func nodeLease(of shard: Int) throws -> NodeLease?
    /// Compare-and-set.
    ///
    /// - Parameter former: the lease as it was read; nil where there was none.
    /// - Returns: whether it still stood so.
    func replace(_ former: NodeLease?, by lease: NodeLease) throws -> Bool
}

/// Apps and their keys.
package protocol AppLedger: AnyObject {
    /// Also one that is being removed; the others find none of those.
    func app(_ id: AppID) throws -> App?
    func app(bundleID: String) throws -> App?
    func app(publicKey: String) throws -> App?
    /// In order of their ids. There are few.
    func apps() throws -> [App]
    /// Stores a new app; the id in the result is the store's.
    func insertApp(bundleID: String, name: String, publicKey: String, at now: Instant) throws -> App
    func update(_ app: App) throws
    /// The key of an app for one environment; a new one takes the place of the old.
    func put(_ key: APNSKey) throws
    func apnsKeys(of app: AppID) throws -> [APNSKey]
    func removeAPNSKey(of app: AppID, _ environment: PushEnvironment) throws
    /// What was said of a type; nil where nothing was.
    func profile(of type: String, in app: AppID) throws -> TypeProfile?
    /// Takes the place of what was said before.
    func put(_ profile: TypeProfile) throws
    func insert(_ key: APIKey) throws -> APIKey
    func apiKey(hash: SecretHash) throws -> APIKey?
    func apiKey(_ id: Int64) throws -> APIKey?
    /// Keys for an API with this identifier and a public key, newest first. Revoked keys are left out.
    func apiKeys(of plane: KeyPlane, identifier: String, limit: Int) throws -> [APIKey]
    /// Whether anybody has ever made a key for an API.
    func hasKeys(of plane: KeyPlane) throws -> Bool
    /// The keys of an app, or the operator's, in order of their ids.
    func apiKeys(of app: AppID?) throws -> [APIKey]
    func update(_ key: APIKey) throws
    func removeAPIKey(_ id: Int64) throws
    /// Notes when a key was used, where no later use is noted. A key that is gone has no uses.
    func noteUse(ofAPIKey id: Int64, at moment: Instant) throws
}

/// What types are decoded from in the builds of an app, and which builds an activity concerns.
package protocol SchemaLedger: AnyObject {
    /// The schemas of a type, in the order of the builds' bytes.
    func schemas(of type: String, in app: AppID) throws -> [TypeSchema]
    /// Whether a type has any.
    func hasSchemas(of type: String, in app: AppID) throws -> Bool
    /// The one that was pushed for a build itself.
    func schema(of type: String, build: String, in app: AppID) throws -> TypeSchema?
    /// Takes the place of the one that the build had.
    func put(_ schema: TypeSchema) throws
    /// - Returns: whether there was one.
    func removeSchema(of type: String, build: String, in app: AppID) throws -> Bool
    /// Builds on phones that have, or had, a replica of an activity, up to ``TypeSchema/buildsPerActivity``.
    func builds(of activity: ActivityID) throws -> Set<String>
    /// Notes that a phone with a build has a replica of an activity.
    func note(_ build: String, of activity: ActivityID) throws
    /// Whether a phone with a build has a replica of an activity that may still show something.
    func hasReplica(of activity: ActivityID, build: String) throws -> Bool
    /// The builds of an audience's devices.
    func builds(in audience: Audience, of app: AppID) throws -> Set<String>
    /// The builds of those among an audience's devices that have a replica of an activity.
    func builds(of activity: ActivityID, in audience: Audience, of app: AppID) throws -> Set<String>
}

/// Answers that are kept for repetitions of their requests.
package protocol AnswerLedger: AnyObject {
    /// The answer that an app's request with this key was given; nil asks for an operator's that was about no app.
    func answeredRequest(key: String, of app: AppID?) throws -> AnsweredRequest?
    /// Keeps an answer, in place of an older one with its key. Of each app at most `limit` are kept, the newest.
    func keep(_ answered: AnsweredRequest, limit: Int) throws
    /// Forgets answers that were given before a moment, oldest first, up to a limit.
    func forgetAnswers(before moment: Instant, limit: Int) throws
}

/// Devices, their users and start tokens.
package protocol DeviceLedger: AnyObject {
    func device(_ id: DeviceID) throws -> Device?
    func device(installation: String, in app: AppID) throws -> Device?
    /// None of an app that is being removed.
    func device(secret: SecretHash) throws -> Device?
    /// Stores a new device; the id in the result is the store's.
    func insert(_ device: NewDevice) throws -> Device
    func update(_ device: Device) throws
    /// Notes that the device has reported up to a sequence, where it has not reported as much or registered anew.
    ///
    /// - Returns: whether it did.
    func advance(_ device: DeviceID, epoch: Int, to sequence: Int, at now: Instant) throws -> Bool
    func setSecret(_ hash: SecretHash, of device: DeviceID) throws
    /// Stores a device that has forgotten whose it was: without secret, start tokens and traits, and with its installation given free.
    func forget(_ device: Device) throws
    /// Devices of the audience with ids above `id`, in order of their ids.
    func devices(in audience: Audience, of app: AppID, after id: DeviceID, limit: Int) throws -> [Device]
    func startToken(of device: DeviceID, type: String) throws -> StartToken?
    func startTokens(of device: DeviceID) throws -> [StartToken]
    /// Devices of an app that have a start token, in order of their ids: one, unless it was never set through ``put(_:in:)``.
    func devices(withStartToken token: PushToken, in app: AppID) throws -> [DeviceID]
    /// Sets the token; a token that another device of the app holds moves here.
    func put(_ token: StartToken, in app: AppID) throws
    func removeStartToken(of device: DeviceID, type: String) throws
    /// Start tokens of an app that are quarantined.
    func suspectStartTokens(in app: AppID, limit: Int) throws -> [StartToken]
    /// Start tokens of an app that are not used, after one of them, in order of devices and types.
    func deadStartTokens(in app: AppID, after device: DeviceID, type: String, limit: Int) throws -> [StartToken]
    /// What the app says of a device; empty where it says nothing.
    func deviceProfile(of device: DeviceID) throws -> DeviceProfile
    func put(_ profile: DeviceProfile, of device: Device) throws
    /// What the backend says of a device; empty where it says nothing.
    func deviceTraits(of device: DeviceID) throws -> Traits
    func put(_ traits: Traits, of device: Device) throws
    /// The name if it is the backend's own. What puts a user or a device's traits makes it so.
    func backendName(_ name: TraitName, in app: AppID) throws -> BackendName?
}

/// People, and the audiences that were saved.
package protocol PeopleLedger: AnyObject {
    func user(_ externalID: String, in app: AppID) throws -> User?
    /// Users with ids above one, in the order of the ids' bytes.
    func users(in app: AppID, after externalID: String, limit: Int) throws -> [User]
    /// The id of the user who has an alias.
    func user(of alias: UserAlias, in app: AppID) throws -> String?
    /// Takes the place of what was said of the user before. None of the aliases is another's.
    func put(_ user: User) throws
    /// Forgets what is said of a user. Devices keep the user's id.
    func removeUser(_ externalID: String, of app: AppID) throws
    func segment(_ name: String, in app: AppID) throws -> Segment?
    /// Segments with names above one, in the order of the names' bytes.
    func segments(in app: AppID, after name: String, limit: Int) throws -> [Segment]
    /// Takes the place of what had the name before.
    func put(_ segment: Segment) throws
    /// - Returns: whether there was one.
    func removeSegment(_ name: String, of app: AppID) throws -> Bool
}

/// Audiences that stay open, and the devices that may have come to belong to one.
package protocol LiveLedger: AnyObject {
    /// The one whose devices are started with the attributes of this declaration.
    func liveAudience(of activity: ActivityID, version: Int) throws -> LiveAudience?
    func liveAudiences(of app: AppID, limit: Int) throws -> [LiveAudience]
    /// Those of all apps whose devices have not all been looked at.
    func unlookedLiveAudiences(limit: Int) throws -> [LiveAudience]
    /// Takes the place of the one with the same declaration.
    func put(_ live: LiveAudience) throws
    func remove(_ live: LiveAudience) throws
    /// Notes that a device has to be looked at.
    func noteChanged(_ device: DeviceID) throws
    /// Devices that have to be looked at, those first that were noted first.
    func changedDevices(limit: Int) throws -> [DeviceID]
    func removeChanged(_ device: DeviceID) throws
}

/// Whom requests concern, and those of them who have not been told yet.
package protocol MemberLedger: AnyObject {
    /// Ids above one of the audience's devices, in their order, up to a limit.
    func deviceIDs(in audience: Audience, of app: AppID, after id: DeviceID, limit: Int) throws -> [DeviceID]
    /// Whether a device belongs to an audience, which may be as large as any.
    func isMember(_ device: DeviceID, of audience: Audience, in app: AppID) throws -> Bool
    /// Ordinals of an activity's replicas on the audience's devices, in no order, up to a limit.
    func ordinals(of activity: ActivityID, in audience: Audience, of app: AppID, limit: Int) throws -> [Int]
    /// Stores a list with its members; the id in the result is the store's.
    func insert(_ list: MemberList, members: [MemberRuns]) throws -> MemberList
    /// Lists with ids above `id`, in order of their ids.
    func memberLists(after id: Int64, limit: Int) throws -> [MemberList]
    /// The lists of one app with ids above `id`, in order of their ids.
    func memberLists(of app: AppID, after id: Int64, limit: Int) throws -> [MemberList]
    /// The lists of one activity, in order of their ids.
    func memberLists(of activity: ActivityID, limit: Int) throws -> [MemberList]
    /// How many lists of an app wait, counted up to a limit.
    func memberListCount(of app: AppID, limit: Int) throws -> Int
    /// Members of a list who have not been told yet, in their order. Fewer than the limit where a chunk of them ends.
    func pending(of list: MemberList, limit: Int) throws -> [Int64]
    /// Notes how far a list has been told, and forgets what it does not need any more.
    func update(_ list: MemberList) throws
    func remove(_ list: MemberList) throws
}

extension MemberLedger {
    package func deviceIDs(in audience: Audience, of app: AppID, limit: Int) throws -> [DeviceID] {
        try deviceIDs(in: audience, of: app, after: DeviceID(rawValue: 0), limit: limit)
    }
}

/// The log of tokens that were answered and are not set yet.
package protocol ArrivalLedger: AnyObject {
    /// The card of this instance, where it is in the ring: what most phones report of.
    func ringCard(ofInstance instance: String, on device: DeviceID) throws -> RingCard?
    /// Appends some in this order; the ids in the log are the store's.
    func append(_ arrivals: [Arrival]) throws
    func arrival(_ id: Int64) throws -> Arrival?
    /// Those of a device, in order of their ids.
    func arrivals(of device: DeviceID) throws -> [Arrival]
    /// The oldest ones of an app, in order of their ids.
    func arrivalPlaces(of app: AppID, limit: Int) throws -> [ArrivalPlace]
    /// At least as many as there are: those between the oldest and the newest.
    func arrivalSpan() throws -> Int
    /// The same of one app; what others have between those counts too.
    func arrivalSpan(of app: AppID) throws -> Int
    /// Removes some, at best those that follow one another.
    func removeArrivals(_ ids: [Int64]) throws
}

/// Activities, what was declared of them, and the requests that did.
package protocol ActivityLedger: AnyObject {
    func activity(_ id: ActivityID) throws -> Activity?
    /// The newest generation of a name.
    func newestActivity(named name: String, in app: AppID) throws -> Activity?
    /// Generations of a name, newest first.
    func activities(named name: String, in app: AppID, limit: Int) throws -> [Activity]
    /// The newest generation of each name above `name`, in order of the names' bytes.
    func newestActivities(in app: AppID, after name: String, limit: Int) throws -> [Activity]
    /// The first name above `name`, in order of the names' bytes.
    func activityName(in app: AppID, after name: String) throws -> String?
    /// The names of the newest activities, newest first. A name appears once for each of its generations.
    func newestActivityNames(of app: AppID, limit: Int) throws -> [String]
    /// The app's activities with ids above `id`, in order of their ids.
    func activities(of app: AppID, after id: ActivityID, limit: Int) throws -> [ActivityID]
    /// Activities above `id` whose users hold a text, in order of their ids. It reads all of the app's; some may hold it in other
    /// letters.
    func activities(naming user: String, in app: AppID, after id: ActivityID, limit: Int) throws -> [ActivityID]
    /// Opens a generation; the id in the result is the store's.
    func insertActivity(
        named name: String, in app: AppID, generation: Int, type: String?, at now: Instant
    ) throws -> Activity
    func update(_ activity: Activity) throws
    func insert(_ declaration: Declaration) throws
    /// Takes away what a declaration shows. Its place and its times stay.
    func eraseDeclaration(_ version: Int, of activity: ActivityID) throws
    /// Only when it went on to everyone ever changes.
    func update(_ declaration: Declaration) throws
    func declaration(_ version: Int, of activity: ActivityID) throws -> Declaration?
    /// Stores an operation; the id in the result is the store's.
    func insert(_ operation: Operation) throws -> Operation
    func operation(_ id: Int64, in app: AppID) throws -> Operation?
    func update(_ operation: Operation) throws
    /// Operations of an activity that are not complete and have told everybody, oldest first.
    func openOperations(of activity: ActivityID, limit: Int) throws -> [Operation]
    /// Operations of a source that are about activities, by those and then in their order, after one of an activity.
    func operations(
        of source: String, in app: AppID, after activity: ActivityID, id: Int64, limit: Int
    ) throws -> [Operation]
    /// Operations that have a source and were accepted within a time, oldest first.
    func operationsWithSource(
        in app: AppID, from start: Instant, to end: Instant, limit: Int
    ) throws -> [Operation]
}

/// Pages of the ring. A replica that is read has its page's credit in it; one that is written counts for it from the next
/// time on that the page is taken, and its page, where there is one, becomes unseen.
package protocol RingLedger: AnyObject {
    /// Nil where nobody has put it.
    func ringPage(_ number: Int, of activity: ActivityID) throws -> RingPage?
    func put(_ page: RingPage) throws
    /// The highest number of a page that was put.
    func lastRingPage(of activity: ActivityID) throws -> Int?
    /// Writes how often a page was taken, and that it is unseen; what else is known of it stays.
    func leaveUnseen(_ page: RingPage) throws
    /// Pages that have not seen a version, by their numbers; with version 0 those that are unseen.
    func ringPages(of activity: ActivityID, notSeen version: Int, after number: Int, limit: Int) throws -> [Int]
    /// Makes those unseen whose time to be looked at has come.
    func wakeRingPages(of activity: ActivityID, at now: Instant) throws
    /// Makes pages up to this number unseen, as if a replica on each of them had changed.
    func changeRingPages(of activity: ActivityID, upTo number: Int) throws
    /// Whether somebody is behind on a page that has seen a version, or a later one.
    func ringOwes(of activity: ActivityID, from version: Int) throws -> Bool
    /// Whether somebody on a page that has been seen was passed over.
    func ringHolds(of activity: ActivityID) throws -> Bool
    /// Makes those pages unseen.
    func recallRingPages(of activity: ActivityID) throws
    /// When the time comes of the next page that has seen a version, or a later one.
    func nextRingLook(of activity: ActivityID, from version: Int) throws -> Instant?
    /// Members of the ring on a page, in order of their ordinals.
    func ringMembers(onPage number: Int, of activity: ActivityID) throws -> RingMembers
    /// Replicas of a page that are not members of the ring and of which something may come, in order of their ordinals.
    func exceptions(onPage number: Int, of activity: ActivityID) throws -> [Replica]
    /// On which device each replica of a page is, by ordinal.
    func devices(onPage number: Int, of activity: ActivityID) throws -> [Int: DeviceID]
    /// The languages of the phones that have a replica on a page and have said one, by ordinal.
    func languages(onPage number: Int, of activity: ActivityID) throws -> [Int: String]
    /// Ordinals of a page that were no members of the ring when it was taken for the last time, or have changed since.
    func strangers(onPage page: RingPage) throws -> [Int]
}

/// Replicas.
package protocol ReplicaLedger: AnyObject {
    func insert(_ replica: Replica) throws
    func update(_ replica: Replica) throws
    /// The same, with what was read before: what has not changed need not be written.
    func update(_ replica: Replica, from former: Replica) throws
    func replica(_ ordinal: Int, of activity: ActivityID) throws -> Replica?
    /// The device's replica that is this card, under whatever name.
    func replica(ofInstance instance: String, on device: DeviceID) throws -> Replica?
    /// Replicas with ordinals above `ordinal`, in order of their ordinals.
    func replicas(of activity: ActivityID, after ordinal: Int, limit: Int) throws -> [Replica]
    /// The device's replicas of every generation of a name, newest generation first.
    func replicas(of device: DeviceID, named name: String, in app: AppID) throws -> [Replica]
    /// The device's replicas after one of an activity, in order of activities and ordinals.
    func replicas(of device: DeviceID, after activity: ActivityID, ordinal: Int, limit: Int) throws -> [Replica]
    /// The device's replicas whose activity is of a type and which may still run.
    func runningReplicas(of device: DeviceID, type: String, in app: AppID) throws -> [Replica]
    /// The device's replicas whose remote start is or was to leave between two moments.
    func remoteStarts(
        of device: DeviceID, after earliest: Instant, before latest: Instant, limit: Int
    ) throws -> [Replica]
    /// Replicas of an app that are under suspicion, by ``Replica/isSuspect``.
    func suspectReplicas(in app: AppID, limit: Int) throws -> [Replica]
    /// Replicas of an activity whose token counts as dead, with ordinals above `ordinal`, in order of their ordinals.
    func deadReplicas(of activity: ActivityID, after ordinal: Int, limit: Int) throws -> [Replica]
    /// Replicas of a device whose token counts as dead, newest activity first.
    func deadReplicas(of device: DeviceID, limit: Int) throws -> [Replica]
    /// Replicas whose start was sent and not answered.
    func unansweredStarts(limit: Int) throws -> [Replica]
}

/// Removal of what is over, a limited number of rows at a time, in all apps.
package protocol PruningLedger: AnyObject {
    /// Of the oldest operations, so many, removes those that were accepted before a moment.
    ///
    /// - Returns: how many it removed.
    func removeOperations(acceptedBefore moment: Instant, limit: Int) throws -> Int
    /// Activities that ended before a moment, those first that ended first.
    func endedActivities(before moment: Instant, limit: Int) throws -> [ActivityID]
    /// - Returns: how many it removed.
    func removeReplicas(of activity: ActivityID, limit: Int) throws -> Int
    /// - Returns: how many it removed.
    func removeDeclarations(of activity: ActivityID, limit: Int) throws -> Int
    /// Removes an activity that has neither replicas nor declarations left, with the channels that it has lost. Its operations
    /// stay, and so does a channel that rests.
    func removeActivity(_ id: ActivityID) throws
    /// Activities with ids above `id`, in order of their ids.
    func activities(after id: ActivityID, limit: Int) throws -> [Activity]
    /// Declarations above `version`, in order of their versions.
    func declarations(of activity: ActivityID, after version: Int, limit: Int) throws -> [Declaration]
    func removeDeclaration(_ version: Int, of activity: ActivityID) throws
    /// Devices with ids above `id`, in order of their ids.
    func devices(after id: DeviceID, limit: Int) throws -> [Device]
    /// Removes a device without start tokens, unless it has replicas.
    func removeDevice(_ id: DeviceID) throws
}
