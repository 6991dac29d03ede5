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
        /// The names of the segments in braces, with their places.
        var names: [(name: String, index: Int)]

        init(_ route: Route, _ segments: [Substring]) {
            self.route = route
            names = segments.enumerated().filter { $1.hasPrefix("{") }
                .map { (String($1.dropFirst().dropLast()), $0) }
        }
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
            let segments = Self.segments(of: route.path)
            Self.add(Entry(route, segments), behind: segments[...], to: &root)
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
        // A user's id may equal a literal segment of another route. Each method goes to the place that has it.
        var (first, found): (Place?, Entry?) = (nil, nil)
        _ = Self.visit(segments[...], in: root) { place in
            first = first ?? place
            found = place[wanted]
            return found != nil
        }
        guard let place = first else { throw Problem(EyotError(.routeUnknown, "no route has this path")) }
        guard let entry = found else {
            var allowed = Set(place.keys.map(\.rawValue))
            if allowed.contains("GET") { allowed.insert("HEAD") }
            let list = allowed.sorted().joined(separator: ", ")
            var problem = Problem(EyotError(.methodNotAllowed, "this path accepts \(list), not \(method.rawValue)"))
            problem.headers[.allow] = list
            throw problem
        }
        var parameters: [String: String] = [:]
        for (name, index) in entry.names {
            let segment = segments[index]
            guard let value = PercentEncoding.decoded(segment) else {
                throw Problem(EyotError(.fieldInvalid, "\(name) is not percent-encoded UTF-8 without NUL", field: name))
            }
            parameters[name] = value
        }
        return (entry.route, parameters)
    }

    private static func segments(of path: some StringProtocol) -> [Substring] { Substring(path).split(atByte: "/") }

    /// Visits the places that match the segments, until a visit returns true. A literal segment goes before one that
    /// matches any text.
    private static func visit(
        _ segments: ArraySlice<Substring>, in branch: Branch, _ body: (Place) -> Bool
    ) -> Bool {
        guard let segment = segments.first else { return !branch.place.isEmpty && body(branch.place) }
        let rest = segments.dropFirst()
        if let literal = branch.literals[segment], visit(rest, in: literal, body) { return true }
        guard !segment.isEmpty, let any = branch.anyText.first else { return false }
        return visit(rest, in: any, body)
    }
}
