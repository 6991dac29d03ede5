import EyotContract
import EyotDomain
import HTTPTypes

/// All routes, found by path and method.
///
/// Hummingbird's own router does not decode segments, and does not know which methods a path has. Names here are any
/// text, and a wrong method is answered with the allowed ones.
struct RouteTable: Sendable {
    private struct Entry: Sendable {
        var route: Route
        /// The segments of its path.
        var segments: [Substring]
    }

    /// The routes of one path, by method.
    private typealias Place = [HTTPRequest.Method: Entry]

    /// The routes of a path, and of the paths that begin with it, by their next segment.
    private struct Branch: Sendable {
        var place: Place = [:]
        var literals: [Substring: Branch] = [:]
        /// Behind a segment in braces. One element, or none.
        var anyText: [Branch] = []

        /// The branch behind a segment of a route's path, which is made if it is not there.
        subscript(_ segment: Substring) -> Branch {
            get { (segment.hasPrefix("{") ? anyText.first : literals[segment]) ?? Branch() }
            set { if segment.hasPrefix("{") { anyText = [newValue] } else { literals[segment] = newValue } }
        }
    }

    private var root = Branch()
    private var planes: [any Plane] = []

    init(_ routes: [Route]) {
        for route in routes
        where route.plane.keys != .eyot && !planes.contains(where: { $0.paths == route.plane.paths }) {
            planes.append(route.plane)
        }
        for route in routes {
            let entry = Entry(route: route, segments: Self.segments(of: route.path))
            Self.add(entry, behind: entry.segments[...], to: &root)
        }
    }

    private static func add(_ entry: Entry, behind segments: ArraySlice<Substring>, to branch: inout Branch) {
        if let segment = segments.first {
            add(entry, behind: segments.dropFirst(), to: &branch[segment])
        } else {
            branch.place[entry.route.method] = entry
        }
    }

    /// Returns the plane of a path, even if the path is no route.
    ///
    /// If the paths of several planes match, the longest match decides.
    func plane(of path: Substring) -> any Plane {
        var best: (plane: any Plane, length: Int)?
        for plane in planes {
            guard let length = plane.prefix(of: path), length > best?.length ?? 0 else { continue }
            best = (plane, length)
        }
        return best?.plane ?? OwnPlane()
    }

    /// Returns the route of a method and a path, with the values of its segments in braces.
    ///
    /// - Throws: `routeUnknown`, `methodNotAllowed`, or `fieldInvalid` if a segment is not percent-encoded UTF-8.
    func route(
        _ method: HTTPRequest.Method, _ path: Substring
    ) throws(Problem) -> (route: Route, parameters: [String: String]) {
        var segments = Self.segments(of: path)
        // Some vendors' clients end a path with a slash, and some do not.
        if segments.count > 2, segments.last?.isEmpty == true, plane(of: path).keys != .eyot { segments.removeLast() }
        let wanted = method == .head ? .get : method
        let found = Self.places(segments[...], in: root)
        // A user's id may equal a literal segment of another route. Each method goes to the place that has it.
        guard let place = found.first(where: { $0[wanted] != nil }) ?? found.first else {
            throw Problem(EyotError(.routeUnknown, "no route has this path"))
        }
        guard let entry = place[wanted] else {
            var allowed = Set(place.keys.map(\.rawValue))
            if allowed.contains("GET") { allowed.insert("HEAD") }
            let list = allowed.sorted().joined(separator: ", ")
            var problem = Problem(EyotError(.methodNotAllowed, "this path accepts \(list), not \(method.rawValue)"))
            problem.headers[.allow] = list
            throw problem
        }
        var parameters: [String: String] = [:]
        for (pattern, segment) in zip(entry.segments, segments) where pattern.hasPrefix("{") {
            let name = String(pattern.dropFirst().dropLast())
            guard let value = PercentEncoding.decoded(segment) else {
                throw Problem(EyotError(.fieldInvalid, "\(name) is not percent-encoded UTF-8 without NUL", field: name))
            }
            parameters[name] = value
        }
        return (entry.route, parameters)
    }

    private static func segments(of path: some StringProtocol) -> [Substring] {
        Substring(path).split(separator: "/", omittingEmptySubsequences: false)
    }

    /// Returns the places that match the segments. A literal segment goes before one that matches any text.
    private static func places(_ segments: ArraySlice<Substring>, in branch: Branch) -> [Place] {
        guard let segment = segments.first else { return branch.place.isEmpty ? [] : [branch.place] }
        let rest = segments.dropFirst()
        let literal = branch.literals[segment].map { places(rest, in: $0) } ?? []
        guard !segment.isEmpty, let any = branch.anyText.first else { return literal }
        return literal + places(rest, in: any)
    }
}
